// Preloaded into a worker (`--import`): appends the time of each call to a file, by the monotonic clock that all processes of a
// machine share.
import { appendFileSync } from "node:fs";
import { subscribe } from "node:diagnostics_channel";
import { z } from "zod";

const sent = z.object({ request: z.object({ origin: z.string(), path: z.string() }) });
const path = process.env["ALMANAC_TEST_SENDS"];

if (path !== undefined) {
  subscribe("undici:client:sendHeaders", (message) => {
    const { request } = sent.parse(message);
    if (request.path.includes("/translator/")) appendFileSync(path, `${process.hrtime.bigint() / 1000n}\n`);
  });
}
