// A process that uses a state folder's Temporal server, as `almanac local` does; tests run it in order to kill it.
// It prints one line of JSON, then waits; on SIGTERM it lets go of the server and ends.
import { useOrStartTemporal } from "../../worker/temporal/temporal-local.ts";

const [stateFolder = "", executable = ""] = process.argv.slice(2);
const server = await useOrStartTemporal({ stateFolder, executable });
const { address, pid, reused } = server;
console.log(JSON.stringify({ address, pid, reused }));
const idle = setInterval(() => {}, 1_000);
process.once("SIGTERM", () => {
  void server.stop().then(() => clearInterval(idle));
});
