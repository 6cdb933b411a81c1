// The site as it will be published on a date: publishes into copies of vault and site in memory, at the instants at which the date
// begins in each language's zone. All else is a publish's own code, so the files have the bytes that it will write.
import { type SetState, statesOn, nextSteps, type NextStep } from "../../insight/set-states.ts";
import { openSources } from "../../insight/why-facts.ts";
import { publishDue } from "../../publish/publish.ts";
import type { Publishing } from "../../publish/state/publish-context.ts";
import { startOfDay } from "../../readings/calendar.ts";
import { zoneOf } from "../../readings/catalogue.ts";
import type { Language } from "../../readings/tables.ts";
import { html, type Markup } from "../../site/html.ts";
import { operationAt, parsePath } from "../../site/paths.ts";
import { readOrNothing } from "../site-server.ts";
import { updateButton } from "./live-server.ts";
import type { ShownSite } from "./live-preview.ts";

/** The date to show in a time zone. */
type DateIn = (zone: string) => string;

/** `trial` has stores that keep all writes in memory (worker/publisher.ts). */
export async function siteAhead(dateIn: DateIn, trial: Publishing): Promise<ShownSite> {
  const { configuration, site } = trial;
  await publishAhead(dateIn, trial);
  const known = new Map<Language, Promise<SetState[]>>();
  const statesOf = (language: Language) => {
    const zone = zoneOf(configuration, language);
    const look = async () => {
      const date = dateIn(zone);
      return statesOn(language, date, await openSources({ ...trial, now: startOfDay(zone, date) }));
    };
    const states = known.get(language) ?? look();
    known.set(language, states);
    return states;
  };
  const barOn = async (path: string) => {
    const at = parsePath(path);
    if (at === undefined || !("language" in at)) return html`<p>Preview: nothing here is published.</p>`;
    const states = await statesOf(at.language);
    return barWith(at.language, dateIn(zoneOf(configuration, at.language)), operationAt(at), states);
  };
  return {
    url: configuration.site.url,
    async file(path) {
      const found = await readOrNothing(site, path);
      return (
        found && { bytes: found.body, type: found.type, bar: async () => [updateButton, await barOn(path)] }
      );
    },
  };
}

export async function publishAhead(dateIn: DateIn, trial: Publishing): Promise<void> {
  const { configuration, now } = trial;
  const zones = configuration.languages.map((language) => zoneOf(configuration, language));
  const fromMs = now().getTime();
  const startsMs = zones.map((zone) => startOfDay(zone, dateIn(zone)).getTime());
  // Texts that wait for review are shown as if they were approved. No time source can confirm a time to come.
  const approving = { ...trial, configuration: { ...configuration, review: {} } };
  const publishing = { ...approving, timeSource: undefined, requestTime: undefined };
  const instantsMs = [fromMs, ...startsMs.filter((startMs) => startMs > fromMs)];
  for (const instantMs of [...new Set(instantsMs)].sort((one, other) => one - other))
    await publishDue({ ...publishing, now: () => new Date(instantMs) });
}

/** The next steps for the sets of this page's operation, then for the language's others. */
function barWith(
  language: Language,
  date: string,
  operation: string | undefined,
  states: readonly SetState[],
): Markup {
  const isHere = ({ requests }: SetState) => requests.some((request) => request.operation === operation);
  const own = states.filter(isHere).flatMap(nextSteps);
  const others = states.filter((state) => !isHere(state)).flatMap(nextSteps);
  const title = `Preview: ${language} on ${date}`;
  if (own.length + others.length === 0) return html`<p>${title}. All texts are ready.</p>`;
  return html`<details>
    <summary>${title}. To decide: ${own.length} on this page, ${others.length} on others</summary>
    ${stepsOf("On this page", own)}${stepsOf("On other pages", others)}
  </details>`;
}

function stepsOf(title: string, steps: readonly NextStep[]) {
  if (steps.length === 0) return undefined;
  const items = steps.map(
    ({ about, reason, command }) => html`<li>${about}: ${reason}.<br /><code>${command}</code></li> `,
  );
  return html`<h2>${title}</h2><ul>${items}</ul>`;
}
