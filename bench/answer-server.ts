// A local HTTP server in a separate process: answers every POST with the same 5 KB body once it has read the whole request.
import { createServer } from "node:http";
import { horoscopeBody } from "./bodies.ts";

const body = horoscopeBody();

const server = createServer((request, response) => {
  request.resume().on("end", () => {
    response.writeHead(200, { "content-type": "application/json", "content-length": body.length }).end(body);
  });
});
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  if (address !== null && typeof address === "object") process.send?.(address.port);
});
process.on("disconnect", () => process.exit());
