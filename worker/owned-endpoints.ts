// The three endpoints of a process (service/endpoint.ts) with its leases, notes and alerts.
import type { Alert } from "../activities/alert-kinds.ts";
import type { Dependencies } from "../activities/dependencies.ts";
import type { EndpointName } from "../readings/tables.ts";
import { Breaker, type BreakerNews } from "../service/breaker.ts";
import { Endpoint } from "../service/endpoint.ts";
import { getEndpointFigures, mapEndpoints } from "../service/limits.ts";
import type { Leases } from "../store/lease.ts";
import { endpointNote, openBreakers, remedyFor, scopeWords } from "../vault/call-notes.ts";
import { layout } from "../vault/files.ts";
import { changeNote, readNote } from "../vault/note.ts";
import type { Vault } from "../vault/vault.ts";
import { alertNote } from "./alerts.ts";

interface EndpointsSettings extends Pick<
  Dependencies,
  "configuration" | "vault" | "alert" | "log" | "metrics"
> {
  readonly leases: Leases;
  readonly purpose: string;
}

export function createEndpoints(settings: EndpointsSettings): Readonly<Record<EndpointName, Endpoint>> {
  const { configuration, leases, log, metrics, purpose } = settings;
  return mapEndpoints(
    (name) =>
      new Endpoint({
        name,
        leaseKey: layout.lease(name),
        purpose,
        figures: getEndpointFigures(configuration, name),
        leases,
        openBreaker: () => openBreaker(name, settings),
        log,
        onState: (state) => metrics.owner.set(state === "owner" ? 1 : 0, { endpoint: name }),
      }),
  );
}

async function openBreaker(name: EndpointName, settings: EndpointsSettings) {
  const { vault, configuration, alert, log, leases } = settings;
  const { store } = vault;
  const note = endpointNote(name);
  const rules = JSON.stringify(configuration.quality.rules);
  const before = await readNote(store, note);
  let writing = Promise.resolve();
  const breaker: Breaker = new Breaker({
    clock: leases.clock,
    note: before.rules === rules ? before : { ...before, stopped: [] },
    onChange() {
      writing = writing
        .then(async () => void (await changeNote(store, note, () => ({ ...breaker.note(), rules }))))
        .catch((error: unknown) => log.warn({ endpoint: name }, `cannot write its note: ${String(error)}`));
    },
    onNews: (news) =>
      void writing
        .then(() => alertOf(news, name, breaker, settings))
        .then((one) => one && alert(one))
        .catch(() => undefined), // it logs its own failures
  });
  return breaker;
}

async function alertOf(
  news: BreakerNews,
  name: EndpointName,
  breaker: Breaker,
  { vault }: EndpointsSettings,
): Promise<Alert | undefined> {
  const { run } = news;
  const { outage } = breaker.note();
  switch (news.kind) {
    case "credentials-refused":
      return {
        kind: "credentials-refused",
        text: `The ${name} endpoint refuses the credentials (${outage?.seen ?? "nothing seen"}). Its requests wait, except one probe at a time. Next: set READING_SERVICE_TOKEN and READING_SERVICE_API_KEY to credentials that work; the run then continues by itself.`,
        once: `after ${await readLastAlert(vault, "credentials-accepted")}`,
      };
    case "credentials-accepted": {
      const open = await openBreakers(vault).catch(() => []);
      const isRefusedElsewhere = open.some(({ away }) => away === undefined);
      if (isRefusedElsewhere) return undefined;
      return {
        kind: "credentials-accepted",
        text: `${run}: the service accepts the credentials again. The run continues; there is nothing to do.`,
        once: `after ${await readLastAlert(vault, "credentials-refused")}`,
      };
    }
    case "service-unavailable":
      return {
        kind: "service-unavailable",
        text: `${run}: the ${name} endpoint has not responded${scopeWords(outage ?? {})} since ${outage?.openedAt} (${outage?.seen}), after ${outage?.probes} probes. Readers keep the published texts; the run continues by itself when the service responds, until its deadline. Next: run \`almanac status\` to see what waits, and ask the service's operator.`,
      };
    case "service-recovered":
      return {
        kind: "service-recovered",
        text: `${run}: the ${name} endpoint responds again. The run continues; there is nothing to do.`,
      };
    case "language-stopped": {
      const { language, rule, seen, refused, responses } = news.stopped;
      const like = /it reads like (\w+)$/.exec(seen)?.[1];
      const other = like && new Intl.DisplayNames("en", { type: "language" }).of(like);
      const fault =
        other === undefined ? `were rejected by the rule "${rule}" (${seen})` : `read like ${other}`;
      return {
        kind: "language-stopped",
        text: `${language}: ${refused} of ${responses} ${fault}. ${run} stops this language, except for one probe every half hour. Next: ${remedyFor(rule)}`,
        once: `${run} ${language}`,
      };
    }
  }
}

/** When an alert of the kind was last sent: endpoints with the same credentials, in several processes, send one. */
async function readLastAlert({ own }: Vault, kind: Alert["kind"]): Promise<string> {
  const alerted = await readNote(own, alertNote(kind)).catch(() => undefined);
  return alerted?.at ?? "the start";
}
