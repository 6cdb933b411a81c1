// One call from request to response: counts it, parses it, and applies a fault or else checks and answers it.
import type { IncomingMessage, ServerResponse } from "node:http";
import type { EndpointName, Operation } from "../../readings/tables.ts";
import { requestKey } from "../../readings/request.ts";
import { dataFor } from "./answers.ts";
import type { ReceivedRequest } from "./received-request.ts";
import { type ReceivedCall, checkCall, isRefusal, languageOfCall, signsIn } from "./check.ts";
import { type FaultRule, isHarmless, takeFault } from "./faults.ts";
import { readForm } from "./form.ts";
import { nowMs, type SandboxState } from "./settings.ts";
import { bodyWith } from "./spoil.ts";
import { drip, pause, reset, send, sendHuge, sendJson, truncate } from "./wire.ts";

export interface HttpExchange {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
}

export async function answerCall(
  state: SandboxState,
  endpoint: EndpointName,
  operation: Operation,
  { incoming, outgoing }: HttpExchange,
): Promise<void> {
  const arrival = state.statistics.arrive(endpoint);
  let good = false;
  outgoing.once("close", () => {
    arrival.ended(outgoing.headersSent ? outgoing.statusCode : undefined, good && outgoing.writableFinished);
  });
  const call = await readCall(endpoint, operation, incoming);
  if (call === undefined) return;

  const verdict = checkCall(call, state.credentials, nowMs(state.clock));
  const refused = isRefusal(verdict);
  if (!refused) arrival.isFor(requestKey(verdict));
  const language = languageOfCall(call.form);
  const seen = { endpoint, operation, language, signs: signsIn(call.form), refused };
  const rule = takeFault(state.faults, seen, state.chance);

  if (rule !== undefined && insteadOfAnAnswer(rule, outgoing, incoming)) return;
  if (refused) {
    const { status, ...body } = verdict;
    sendJson(outgoing, status, JSON.stringify(body), status === 401 ? challenge : {});
    return;
  }
  await pause(outgoing, latencyMs(state, endpoint));
  good = rule === undefined || isHarmless(rule.fault);
  await answer(state, verdict, rule, outgoing);
}

const challenge = { "www-authenticate": "Bearer" };

/** Undefined if the client disconnected during the request. */
async function readCall(
  endpoint: EndpointName,
  operation: Operation,
  incoming: IncomingMessage,
): Promise<ReceivedCall | undefined> {
  const { method = "", url = "", headers } = incoming;
  const query = url.includes("?") ? url.slice(url.indexOf("?")) : "";
  try {
    const form = await readForm(incoming);
    return { endpoint, operation, method, query, authorization: headers.authorization, form };
  } catch {
    return undefined;
  }
}

function latencyMs(state: SandboxState, endpoint: EndpointName): number {
  const latency = state.latency[endpoint];
  return latency === undefined ? 0 : latency.fixedMs + latency.jitterMs * state.chance();
}

async function answer(
  state: SandboxState,
  request: ReceivedRequest,
  rule: FaultRule | undefined,
  outgoing: ServerResponse,
): Promise<void> {
  const host = state.faces ? outgoing.req.headers.host : undefined;
  const options = {
    ...state.options,
    ...(host === undefined ? {} : { pictures: `http://${host}/pictures` }),
  };
  const body = bodyWith(rule, request, (wanted) => dataFor(wanted, options, state.draws));
  switch (rule?.fault) {
    case "slow":
      await pause(outgoing, rule.delayMs + rule.jitterMs * state.chance());
      sendJson(outgoing, 200, body);
      return;
    case "drip":
      await drip(outgoing, body, rule.everyMs);
      return;
    case "truncated":
      truncate(outgoing, body, rule.chunked);
      return;
    default:
      sendJson(outgoing, 200, body);
  }
}

/** Faults that replace the response. True if one was sent, or if no response is sent. */
function insteadOfAnAnswer(rule: FaultRule, outgoing: ServerResponse, incoming: IncomingMessage): boolean {
  switch (rule.fault) {
    case "timeout":
      return true; // the connection stays open without a response
    case "reset":
      reset(outgoing);
      return true;
    case "http400":
      refuse(outgoing, 400, 2, "Bad request");
      return true;
    case "http401":
      sendJson(outgoing, 401, message(3, "Invalid authorization token or api key"), challenge);
      return true;
    case "http408":
      refuse(outgoing, 408, 0, "Request time-out");
      return true;
    case "http429":
      refuse(outgoing, 429, 0, "Too many requests", retryHeader(rule.retryAfter));
      return true;
    case "http500":
      refuse(outgoing, 500, 0, "Internal server error");
      return true;
    case "http503":
      refuse(outgoing, 503, 0, "Service unavailable", retryHeader(rule.retryAfter));
      return true;
    case "redirect":
      // The redirect leads to another path on this server: a client that follows it is not counted and gets a 404.
      send(outgoing, 307, "", { location: `http://${incoming.headers.host ?? "127.0.0.1"}/moved` });
      return true;
    case "success0":
      refuse(outgoing, 200, 0, "Something went wrong");
      return true;
    case "success2":
      refuse(outgoing, 200, 2, "You are not subscribed to this service");
      return true;
    case "success3":
      refuse(outgoing, 200, 3, "Invalid authorization token or api key");
      return true;
    case "html200":
      send(outgoing, 200, maintenancePage, { "content-type": "text/html; charset=utf-8" });
      return true;
    case "wrongType":
      sendJson(outgoing, 200, JSON.stringify({ success: 1, data: "A good day for letters and long walks." }));
      return true;
    case "deep":
      sendJson(outgoing, 200, `{"success":1,"data":${"[".repeat(100_000)}${"]".repeat(100_000)}}`);
      return true;
    case "huge":
      void sendHuge(outgoing);
      return true;
    default:
      return false;
  }
}

const maintenancePage = "<!doctype html><title>Maintenance</title><h1>We will be right back</h1>";

function refuse(outgoing: ServerResponse, status: number, success: number, msg: string, headers = {}): void {
  sendJson(outgoing, status, message(success, msg), headers);
}

function message(success: number, msg: string): string {
  return JSON.stringify({ success, msg });
}

function retryHeader(retryAfter: number | string | undefined): Record<string, string> {
  return retryAfter === undefined ? {} : { "retry-after": String(retryAfter) };
}
