// Calls to a Temporal server that freezes, or that never answers one kind of call.
import { createServer, type ServerHttp2Session } from "node:http2";
import { basename } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { temporalFor, withTemporal } from "../../worker/temporal/temporal-client.ts";
import { readEnvironment } from "../../worker/settings/environment.ts";
import { listen } from "../support/ends.ts";

type Deed = "answer" | "hang" | "break";

/** A server whose answers are empty messages. `deedOf` gets the method and the number of its calls, this one included. */
async function temporalWith(deedOf: (method: string, count: number) => Deed) {
  const calls: string[] = [];
  const sessions = new Set<ServerHttp2Session>();
  const server = createServer();
  server.on("session", (session) => {
    sessions.add(session);
    session.on("error", () => undefined);
  });
  server.on("stream", (stream, headers) => {
    stream.on("error", () => undefined);
    const method = basename(headers[":path"] ?? "");
    calls.push(method);
    const deed = deedOf(method, calls.filter((one) => one === method).length);
    if (deed === "break") stream.session?.destroy();
    if (deed !== "answer") return;
    stream.on("wantTrailers", () => stream.sendTrailers({ "grpc-status": "0" }));
    stream.respond({ ":status": 200, "content-type": "application/grpc" }, { waitForTrailers: true });
    stream.end(Buffer.alloc(5));
  });
  const port = await listen(server, (end) => onTestFinished(end));
  onTestFinished(() => {
    for (const session of sessions) session.destroy();
  });
  const address = `127.0.0.1:${port}`;
  process.env["TEMPORAL_ADDRESS"] = address; // Temporal's library reads it itself
  onTestFinished(() => void Reflect.deleteProperty(process.env, "TEMPORAL_ADDRESS"));
  const temporal = await temporalFor(readEnvironment({ TEMPORAL_ADDRESS: address }), "/nowhere");
  return { temporal, countOf: (method: string) => calls.filter((one) => one === method).length };
}

const long = 600_000;

test("a frozen server is given up even while a call to it is being repeated", async () => {
  let isFrozen = false;
  const { temporal, countOf } = await temporalWith((method) => {
    if (isFrozen) return "hang";
    isFrozen = method === "GetWorkflowExecutionHistory";
    return isFrozen ? "break" : "answer";
  });
  const limits = { silentMs: 3_000, attemptMs: long };
  const end = withTemporal(temporal, (client) => client.workflow.getHandle("a-run").result(), limits);
  await expect(end).rejects.toThrow(
    `Temporal at ${temporal.address} has not answered for more than 3 s. Check it with \`almanac check\``,
  );
  expect(countOf("GetWorkflowExecutionHistory")).toBe(2);
});

test("a call is given up after two unanswered attempts, even if the server answers others", async () => {
  const { temporal, countOf } = await temporalWith((method) =>
    method === "DescribeNamespace" ? "hang" : "answer",
  );
  const ask = withTemporal(temporal, (client) => client.workflowService.describeNamespace({}), {
    silentMs: long,
    attemptMs: 1_000,
  });
  await expect(ask).rejects.toThrow(`Temporal at ${temporal.address} has not answered for more than 2 s`);
  expect(countOf("DescribeNamespace")).toBe(2);
});

test.each(["hang", "break"] as const)(
  "a call is answered at its second attempt (first: %s)",
  async (first) => {
    const { temporal, countOf } = await temporalWith((method, count) =>
      method === "DescribeNamespace" && count === 1 ? first : "answer",
    );
    const limits = { silentMs: long, attemptMs: 5_000 };
    await withTemporal(temporal, (client) => client.workflowService.describeNamespace({}), limits);
    expect(countOf("DescribeNamespace")).toBe(2);
  },
);
