// All measures, in the order of measuring and printing.
import { actions } from "./actions.ts";
import { endpointDown } from "./endpoint-down.ts";
import { coldStart } from "./cold-start.ts";
import { cost } from "./cost.ts";
import { crash } from "./crash.ts";
import { greatNight } from "./great-night.ts";
import { greatPlan } from "./great-plan.ts";
import { growthOfSites } from "./growth-sites.ts";
import { growthOfNights, growthOfWorkers } from "./growth-nights.ts";
import { limitedFast, limitedSlow } from "./limited-night.ts";
import { limitedWorkers } from "./limited-workers.ts";
import { localOnce } from "./local-once.ts";
import type { Measure } from "./measure.ts";
import { nothingNew } from "./nothing-new.ts";
import { postgresLimited, postgresWorkers } from "./postgres-workers.ts";
import { pagesToMemory, render, renderInMemory } from "./render.ts";
import { publish } from "./publish.ts";
import { s3Requests } from "./s3-requests.ts";
import { slowService } from "./slow-service.ts";
import { unlimitedNight } from "./unlimited-night.ts";

export const measures: readonly Measure[] = [
  coldStart,
  render,
  renderInMemory,
  pagesToMemory,
  publish,
  limitedSlow,
  limitedWorkers,
  limitedFast,
  unlimitedNight,
  slowService,
  endpointDown,
  crash,
  nothingNew,
  localOnce,
  cost,
  actions,
  s3Requests,
  growthOfNights,
  growthOfWorkers,
  growthOfSites,
  postgresLimited,
  postgresWorkers,
  greatNight,
  greatPlan,
];
