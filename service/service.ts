// The client of the reading service: sends one request with exactly the fields of its operation and hands back the
// answer unjudged. readings/answer.ts has the answer next; where none came, a named failure is thrown.
import { randomUUID } from "node:crypto";
import packageJson from "../package.json" with { type: "json" };
import { type ServiceAnswer, Unavailable, Unfit } from "../readings/answer.ts";
import { zoneOf } from "../readings/catalogue.ts";
import type { Configuration } from "../readings/configuration.schema.ts";
import {
  fieldsFor,
  type Person,
  type ReadingRequest,
  requestKey,
  selectEndpoint,
} from "../readings/request.ts";
import { type Language, rowOf } from "../readings/tables.ts";
import {
  type ConnectionSettings,
  EndpointNotConfigured,
  getEndpointFigures,
  mapEndpoints,
  usableConcurrency,
  timeoutsOf,
} from "./limits.ts";
import { BodyRefused, exchange, type Exchanged, TransportFault } from "./exchange.ts";
import { openConnection } from "./connection.ts";
import { redact, redactBytes, Secret, spellsOut } from "./secret.ts";

interface Credentials {
  readonly token: Secret;
  readonly apiKey: Secret;
}
/** Called before every request, so that new credentials apply at once. */
export type CredentialSource = () => Promise<Credentials>;

export interface ServiceSettings extends ConnectionSettings {
  readonly credentials: CredentialSource;
  readonly zones: (language: Language) => string;
  readonly person: (id: string) => Person | undefined;
  readonly now: () => Date;
  /** Called with the time of a response's server, from its header. */
  readonly onTime?: (origin: string, date: string) => void;
}

interface CallOptions {
  readonly signal?: AbortSignal;
  /** Called when the request goes out, which is when a connection is there, or comes to nothing. It may refuse by throwing. */
  readonly onSent?: () => void;
  /** The moment of the call: it decides between `today` and `tomorrow`. */
  readonly instant: Date;
}

export interface Service {
  /** Throws WrongRequest or EndpointNotConfigured before any call, else Unavailable, Unfit or the signal's reason. */
  call(request: ReadingRequest, options: CallOptions): Promise<ServiceAnswer>;
  /** Waits for the calls in flight. */
  close(): Promise<void>;
}

export function createService(settings: ServiceSettings): Service {
  const connections = mapEndpoints((endpoint) => openConnection(endpoint, settings));
  const inFlight = new Set<Promise<Exchanged>>();

  return {
    async call(request, { instant, ...bounds }) {
      const endpoint = selectEndpoint(request);
      const person = "person" in request ? settings.person(request.person) : undefined;
      const fields = fieldsFor(request, { instant, zone: settings.zones(request.language), person });
      const connection = connections[endpoint];
      if (connection === undefined) throw new EndpointNotConfigured(request.operation, endpoint);
      const { token, apiKey } = await settings.credentials();
      // A person's name leaves this process in the request alone, even where an answer repeats it.
      const secrets = person === undefined ? [token, apiKey] : [token, apiKey, new Secret(person.fullName)];
      const { origin, basePath, agent, answerMs } = connection;
      const path = basePath + rowOf(request.operation).path;
      const { type, body: form } = formOf([["api_key", apiKey.reveal()], ...fields]);
      const headers = headersWith(type, endpoint === "legacy" ? undefined : token);
      const call = { origin, path, method: "POST", headers, body: form } as const;
      const startedMs = performance.now();
      const sent = exchange(agent, call, { answerMs, ...bounds });
      inFlight.add(sent);
      try {
        const { status, retryAfter, date, body } = await sent;
        if (date !== undefined) settings.onTime?.(origin, date);
        return {
          address: origin + path,
          status,
          retryAfter: retryAfter === undefined ? undefined : redact(retryAfter, secrets),
          body: redactBytes(body, secrets),
          spellsOutCredential: spellsOut(body, [token, apiKey]),
          receivedAt: settings.now(),
          elapsedMs: performance.now() - startedMs,
        };
      } catch (error) {
        const isKnown = error instanceof TransportFault || error instanceof BodyRefused;
        if (!isKnown) throw error; // the signal's own reason
        const seen = redact(error.message, secrets);
        const facts = { key: requestKey(request), address: origin + path, status: error.status, seen };
        // The failure gets no `cause`: an error of the network library may quote the request or the answer.
        throw error instanceof BodyRefused ? new Unfit(error.rule, facts) : new Unavailable(facts);
      } finally {
        inFlight.delete(sent);
      }
    },
    async close() {
      await Promise.allSettled(inFlight);
      for (const connection of Object.values(connections)) await connection?.agent.destroy();
    },
  };
}

/** The settings that the site's configuration gives. */
export function settingsFrom(
  configuration: Configuration,
): Pick<ServiceSettings, "timeouts" | "connections" | "zones" | "person"> {
  return {
    timeouts: timeoutsOf(configuration),
    // One more than the places: a probe of the breaker may go out as well.
    connections: mapEndpoints(
      (endpoint) => usableConcurrency(getEndpointFigures(configuration, endpoint)) + 1,
    ),
    zones: (language) => zoneOf(configuration, language),
    person: (id) => configuration.people.find((person) => person.id === id),
  };
}

function headersWith(type: string, token: Secret | undefined): Record<string, string> {
  const headers = {
    accept: "application/json",
    "accept-encoding": "identity", // the body limit must apply to the decoded body
    "user-agent": `almanac/${packageJson.version} (+node)`,
  };
  return {
    ...headers,
    ...(token === undefined ? undefined : { authorization: `Bearer ${token.reveal()}` }),
    "content-type": type,
  };
}

interface Form {
  readonly type: string;
  readonly body: string;
}

/**
 * The fields of a call as a multipart form. A FormData comes to the same bytes, but by a stream of many writes, which takes a night
 * of 300 readings a thirtieth of its processor time. Names are our own words; values have their line ends as forms have them.
 */
export function formOf(fields: readonly (readonly [name: string, value: string])[]): Form {
  const boundary = `almanac-${randomUUID()}`;
  const parts = fields.map(
    ([name, value]) =>
      `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value.replace(/\r\n?|\n/g, "\r\n")}\r\n`,
  );
  return { type: `multipart/form-data; boundary=${boundary}`, body: `${parts.join("")}--${boundary}--\r\n` };
}
