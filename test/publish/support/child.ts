// A process that publishes night after night to a folder, for the test that kills it. Reports its start.
import { writeSync } from "node:fs";
import { filesOf, nightsToKill, publishNight } from "./nights.ts";
import { storesIn } from "./resettable.ts";
import { Calls, Publisher } from "./publisher.ts";

const [folder = ""] = process.argv.slice(2);
for (const { date, languages } of nightsToKill) for (const language of languages) filesOf(language, date);
const { place } = new Publisher(storesIn(folder), new Calls(), () => new Date());
writeSync(1, "begun\n");
for (const night of nightsToKill) await publishNight(place, night);
writeSync(1, "done\n");
