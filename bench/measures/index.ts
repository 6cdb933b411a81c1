// Every measure, in the order in which they are taken and printed.
import { addressDown } from "./address-down.ts";
import { coldStart } from "./cold-start.ts";
import { cost } from "./cost.ts";
import { crash } from "./crash.ts";
import { growthOfSites } from "./growth-sites.ts";
import { growthOfNights, growthOfWorkers } from "./growth-nights.ts";
import { limitedFast, limitedSlow } from "./limited-night.ts";
import type { Measure } from "./measure.ts";
import { nothingNew } from "./nothing-new.ts";
import { press } from "./press.ts";
import { publish } from "./publish.ts";
import { slowService } from "./slow-service.ts";
import { unlimitedNight } from "./unlimited-night.ts";

export const measures: readonly Measure[] = [
  coldStart,
  press,
  publish,
  limitedSlow,
  limitedFast,
  unlimitedNight,
  slowService,
  addressDown,
  crash,
  nothingNew,
  cost,
  growthOfNights,
  growthOfWorkers,
  growthOfSites,
];
