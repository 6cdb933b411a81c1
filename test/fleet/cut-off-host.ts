// Leftovers of a fleet whose process was killed: a network with a host, a server on it, and an S3 server.
import { startS3 } from "../support/s3-server.ts";
import { createNetwork } from "./hosts.ts";
import { createServers } from "./servers.ts";

const never = () => undefined;
const [log = ""] = process.argv.slice(2);
const network = await createNetwork(never);
const host = await network.host();
const { child } = createServers(never)({ words: [...host.within, "sleep", "600"], log });
const { endpoint } = await startS3();
console.log(JSON.stringify({ address: network.address, server: child.pid, endpoint }));
setInterval(never, 60_000);
