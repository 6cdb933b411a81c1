// A process that uses a state folder's Temporal server, as `almanac local` does; tests run it in order to kill it.
// It prints one line of JSON, then waits; on SIGTERM it lets go of the server and ends.
import { startLocalTemporal } from "../../worker/temporal/temporal-server.ts";

const [stateFolder = "", executable = ""] = process.argv.slice(2);
const server = await startLocalTemporal(stateFolder, executable);
const { address, pid } = server;
console.log(JSON.stringify({ address, pid }));
const idle = setInterval(() => {}, 1_000);
process.once("SIGTERM", () => {
  void server.stop().then(() => clearInterval(idle));
});
