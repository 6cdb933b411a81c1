// The client of the reading service: sends one request with exactly the fields of its operation and hands back the
// answer unjudged. readings/envelope.ts has the answer next; where none came, a named failure is thrown.
import { FormData } from "undici";
import packageJson from "../package.json" with { type: "json" };
import type { ServiceAnswer } from "../readings/answer.ts";
import { Unavailable, Unfit } from "../readings/failures.ts";
import { addressOf, fieldsFor, type Person } from "../readings/request-fields.ts";
import type { Language } from "../readings/languages.ts";
import { rowOf } from "../readings/operations.ts";
import { type ReadingRequest, requestKey } from "../readings/request.ts";
import { type AddressSettings, NoAddress } from "./addresses.ts";
import { BodyRefused, exchange, type Exchanged } from "./exchange.ts";
import { type AddressConnection, openConnection } from "./connection.ts";
import { redact, redactBytes, Secret } from "./secret.ts";
import { TransportFault } from "./transport-faults.ts";

export interface Credentials {
  readonly token: Secret;
  readonly apiKey: Secret;
}
/** Asked at every call, so that new credentials count at once. */
export type CredentialSource = () => Promise<Credentials>;

export interface ServiceSettings extends AddressSettings {
  readonly credentials: CredentialSource;
  readonly zones: (language: Language) => string;
  readonly person: (id: string) => Person | undefined;
  readonly now?: () => Date;
}

export interface AskOptions {
  readonly signal?: AbortSignal | undefined;
  /** Called when the request goes out, which is when a connection is there. */
  readonly onSent?: (() => void) | undefined;
  /** The moment of the call: it decides between `today` and `tomorrow`. */
  readonly instant: Date;
}

export interface Service {
  /** Throws WrongRequest or NoAddress before any call, else Unavailable, Unfit or the signal's reason. */
  ask(request: ReadingRequest, options: AskOptions): Promise<ServiceAnswer>;
  /** Waits for the calls in flight. */
  close(): Promise<void>;
}

interface Call {
  readonly request: ReadingRequest;
  readonly line: AddressConnection;
  /** The operation's whole URL, which holds no credentials. */
  readonly url: { readonly origin: string; readonly path: string };
  readonly headers: Record<string, string>;
  readonly form: FormData;
  readonly signal: AbortSignal | undefined;
  readonly onSent: (() => void) | undefined;
  /** The words that must not stand in an answer or an error. */
  readonly secrets: readonly Secret[];
}

export function createService(settings: ServiceSettings): Service {
  const lines = {
    english: openConnection("english", settings),
    translator: openConnection("translator", settings),
    legacy: openConnection("legacy", settings),
  };
  const inFlight = new Set<Promise<Exchanged>>();

  async function prepare(request: ReadingRequest, options: AskOptions): Promise<Call> {
    const address = addressOf(request);
    const person = "person" in request ? settings.person(request.person) : undefined;
    const zone = settings.zones(request.language);
    const fields = fieldsFor(request, { instant: options.instant, zone, person });
    const line = lines[address];
    if (line === undefined) throw new NoAddress(request.operation, address);
    const { token, apiKey } = await settings.credentials();
    // A person's name leaves this process in the request alone, even where an answer repeats it.
    const secrets = person === undefined ? [token, apiKey] : [token, apiKey, new Secret(person.fullName)];
    return {
      request,
      line,
      url: { origin: line.origin, path: line.basePath + rowOf(request.operation).path },
      headers: headersWith(address === "legacy" ? undefined : token),
      form: formOf(apiKey, fields),
      signal: options.signal,
      onSent: options.onSent,
      secrets,
    };
  }

  return {
    async ask(request, options) {
      const call = await prepare(request, options);
      const startedMs = performance.now();
      const sent = send(call);
      inFlight.add(sent);
      const { status, retryAfter, body } = await sent.finally(() => inFlight.delete(sent));
      return {
        address: call.url.origin + call.url.path,
        status,
        retryAfter: retryAfter === undefined ? undefined : redact(retryAfter, call.secrets),
        body: redactBytes(body, call.secrets),
        receivedAt: settings.now?.() ?? new Date(),
        elapsedMs: performance.now() - startedMs,
      };
    },
    async close() {
      await Promise.allSettled(inFlight);
      for (const line of Object.values(lines)) await line?.agent.destroy();
    },
  };
}

async function send(call: Call): Promise<Exchanged> {
  const { request, line, url, headers, form, signal, onSent, secrets } = call;
  try {
    const options = { ...url, method: "POST", headers, body: form };
    return await exchange(line.agent, options, { answerMs: line.answerMs, signal, onSent });
  } catch (error) {
    // The error gets no `cause`: one of the network library may quote the request or the answer.
    const facts = (seen: string, status?: number) => ({
      key: requestKey(request),
      address: url.origin + url.path,
      status,
      seen: redact(seen, secrets),
    });
    if (error instanceof TransportFault) throw new Unavailable(facts(error.message, error.status));
    if (error instanceof BodyRefused) throw new Unfit(error.rule, facts(error.message, error.status));
    throw error; // the signal's own reason
  }
}

function headersWith(token: Secret | undefined): Record<string, string> {
  const headers = {
    accept: "application/json",
    "accept-encoding": "identity", // so that the limit on the body holds for what it becomes
    "user-agent": `almanac/${packageJson.version} (+node)`,
  };
  return token === undefined ? headers : { ...headers, authorization: `Bearer ${token.reveal()}` };
}

function formOf(apiKey: Secret, fields: readonly (readonly [string, string])[]): FormData {
  const form = new FormData();
  form.append("api_key", apiKey.reveal());
  for (const [field, value] of fields) form.append(field, value);
  return form;
}
