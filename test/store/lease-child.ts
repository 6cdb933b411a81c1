// A process that takes a lease in a folder and prints its changes; a line on stdin releases the lease.
import { once } from "node:events";
import { writeSync } from "node:fs";
import { clockAt } from "../../store/clock.ts";
import { openFolder } from "../../store/folder.ts";
import { Leases } from "../../store/lease.ts";

const [folder = "", key = "", speed] = process.argv.slice(2);
const say = (word: string, facts: object = {}) => writeSync(1, `${JSON.stringify({ word, ...facts })}\n`);
const log = { warn: (_facts: object, message: string) => say("warning", { message }) };
const where = `${process.pid}@test`;
const clock = clockAt(Number(speed));
const leases = new Leases({ store: openFolder(folder), lockFolder: `${folder}/.writing`, where, log, clock });
const lease = await leases.take(key, { purpose: "child", maxWaitMs: 60_000 });
say("taken", { epoch: lease.epoch, before: lease.before });
lease.signal.addEventListener("abort", () => say("lost", { reason: String(lease.signal.reason) }));
await once(process.stdin, "data");
await lease.release();
say("released", { remainingMs: lease.remainingMs() });
process.exit();
