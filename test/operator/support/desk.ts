// An operator's desk: a small site in memory, and the functions behind the commands with their output. The clock advances by a
// minute with every step.
import { readState } from "../../../publish/state/state.ts";
import { publishDue } from "../../../publish/publish.ts";
import { catalogue } from "../../../readings/catalogue.ts";
import type { ConfigurationInput } from "../../../readings/configuration.schema.ts";
import type { Language } from "../../../readings/tables.ts";
import { addDays } from "../../../readings/calendar.ts";
import { requestKey, type RequestKey } from "../../../readings/request.ts";
import { cleanUp } from "../../../scripts/gc.ts";
import { renderAgain } from "../../../scripts/render.ts";
import { acceptAnswer, retryAnswer } from "../../../scripts/quarantine.ts";
import { repairSite } from "../../../scripts/repair.ts";
import { rollBack } from "../../../scripts/rollback.ts";
import { inOrder, type CommandResult } from "../../../scripts/terminal/output.ts";
import { activePins } from "../../../scripts/terminal/findings.ts";
import { publishWords } from "../../../scripts/publish.ts";
import { undoWithdrawal, withdrawText } from "../../../scripts/withdraw.ts";
import { readWithheld } from "../../../vault/withheld.ts";
import { newSite, type PublishedSite, requestAt } from "../../publish/support/published-site.ts";
import { settings as siteSettings } from "../../site/editions.ts";
import { openMemory } from "../../support/memory.ts";
import { storedResponseOf } from "../../support/stored-responses.ts";
import { fill, type Snapshot, snapshotOf } from "../../support/stores.ts";
import type { Step } from "./steps.ts";

const firstDate = "2026-11-19";
const minuteMs = 60_000;
export const dayMs = 24 * 60 * minuteMs;

export const settings = {
  operations: ["daily-horoscope"],
  zones: { en: "UTC", hi: "UTC" },
  publishing: { unusualShare: 1 },
} satisfies ConfigurationInput;

/** The languages at the beginning, and those that may come and go. */
const [english, hindi] = ["en", "hi"] as const;

export interface Printed {
  readonly kind: "printed";
  readonly text: string;
}

export type Done =
  | Printed
  /** It was refused, or there was nothing to do. */
  | { readonly kind: "refused"; readonly error: unknown };

/** Environment in which the desk's commands run. */
export interface Hands {
  readonly withdraw: (path: string) => Promise<Printed>;
  readonly undo: (name: string) => Promise<Printed>;
  readonly rollback: (wanted: string | undefined, language: Language | undefined) => Promise<Printed>;
  readonly render: (languages: readonly Language[], from: string | undefined) => Promise<Printed>;
  readonly accept: (key: RequestKey) => Promise<Printed>;
  readonly retry: (key: RequestKey) => Promise<Printed>;
  readonly gc: () => Promise<Printed>;
  readonly repair: () => Promise<Printed>;
}

/** The parts of a desk. */
export interface Ground {
  readonly site: PublishedSite;
  readonly now: () => Date;
  readonly pass: (ms: number) => void;
  readonly hands: (desk: Desk) => Hands;
  /** Called with each new configuration. */
  readonly configured?: (more: ConfigurationInput) => Promise<void>;
}

export class Desk {
  site: PublishedSite;
  readonly #ground: Ground;
  readonly #hands: Hands;
  #texts = 0;
  /** The words behind `almanac withdraw --undo`, as each withdrawal printed them. */
  readonly #hints = new Map<RequestKey, string>();

  constructor(ground: Ground) {
    this.#ground = ground;
    this.site = ground.site;
    this.#hands = ground.hands(this);
    this.#setClock();
  }

  get today(): string {
    return this.now.toISOString().slice(0, 10);
  }

  get now(): Date {
    return this.#ground.now();
  }

  get languages(): readonly Language[] {
    return this.site.publishing.configuration.languages;
  }

  pass(ms: number): void {
    this.#ground.pass(ms);
    this.#setClock();
  }

  #setClock(): void {
    this.site.setClock(this.now.toISOString());
  }

  async #configure(more: ConfigurationInput): Promise<void> {
    this.site = this.site.with(more);
    await this.#ground.configured?.(more);
  }

  async withheld() {
    return readWithheld(this.site.publishing.vault.own);
  }

  /** The holds that `almanac status` shows. */
  async status() {
    const { note } = await this.withheld();
    return activePins(note.pins, this.site.publishing.configuration, this.now);
  }

  async do(step: Step): Promise<Done> {
    this.pass(minuteMs);
    try {
      return await this.#doing(step);
    } catch (error) {
      if (error instanceof Error && refusals.has(error.name)) return { kind: "refused", error };
      throw error;
    }
  }

  async #doing(step: Step): Promise<Done> {
    const { vault } = this.site.publishing;
    switch (step.kind) {
      case "withdraw": {
        const { language, sign, daysAgo } = step;
        const dated = daysAgo === undefined ? "" : `${addDays(this.today, -daysAgo)}/`;
        const done = await this.#hands.withdraw(`/${language}/daily/${sign}/${dated}`);
        const [, hint] = /almanac withdraw --undo (\S+)/.exec(done.text) ?? [];
        const key = (await this.withheld()).note.withdrawn.at(-1)?.key;
        if (hint !== undefined && key !== undefined) this.#hints.set(key, hint);
        return done;
      }
      case "undo": {
        const { withdrawn } = (await this.withheld()).note;
        const record = withdrawn[step.index % Math.max(1, withdrawn.length)];
        if (record === undefined) return nothing;
        return this.#hands.undo((step.isHinted ? this.#hints.get(record.key) : undefined) ?? record.key);
      }
      case "rollback": {
        const { versions, language } = step;
        if (language !== undefined && !this.languages.includes(language)) return nothing;
        const current = (await readState(this.site.site))?.pointer.version ?? 0;
        const wanted = versions === undefined ? undefined : String(Math.max(1, current - versions));
        return this.#hands.rollback(wanted, language);
      }
      case "render":
        if (step.language !== undefined && !this.languages.includes(step.language)) return nothing;
        return this.render(step.language === undefined ? this.languages : [step.language]);
      case "night":
        await this.gather(step.brings);
        return printed(`version ${await this.site.night()}`);
      case "publish":
        return printed(publishWords(await publishDue(this.site.publishing)));
      case "accept":
      case "retry": {
        const [key] = await vault.inQuarantine("");
        return key === undefined ? nothing : this.#hands[step.kind](key);
      }
      case "gc":
      case "repair":
        return this.#hands[step.kind]();
      case "day":
        this.pass(dayMs);
        return printed(this.today);
      case "hindi in or out": {
        const isThere = this.languages.includes(hindi);
        await this.#configure({ languages: isThere ? [english] : [english, hindi] });
        return printed(this.languages.join(" "));
      }
      case "another name": {
        const name = this.site.publishing.configuration.site.name === "Almanac" ? "Stars" : "Almanac";
        await this.#configure({ site: { ...siteSettings, name } });
        return printed(name);
      }
    }
  }

  render(languages: readonly Language[], from?: string): Promise<Printed> {
    return this.#hands.render(languages, from);
  }

  /** Stores today's missing readings; one text of Leo may have changed, or one of Aries may be refused. */
  async gather(brings: Extract<Step, { kind: "night" }>["brings"]): Promise<void> {
    const { vault, configuration, now } = this.site.publishing;
    const dates = { from: this.today, to: addDays(this.today, 1) };
    const waiting = new Set(await vault.inQuarantine(""));
    const keys = catalogue(configuration, now(), {}, dates).flatMap(({ requests }) =>
      requests.map(requestKey),
    );
    const leo = `daily/${this.today}/en/daily-horoscope/leo`;
    const aries = `daily/${this.today}/en/daily-horoscope/aries`;
    if (brings === "another text") await vault.displace(leo);
    for (const key of keys) {
      if (waiting.has(key) || (await vault.response(key)) !== undefined) continue;
      const request = requestAt(key);
      const response = storedResponseOf(request, { words: `Text ${(this.#texts += 1)}.` });
      if (brings !== "a refused text" || key !== aries) await vault.storeResponse(response);
      else {
        const { address, receivedAt: at, tries, run, body } = response;
        const reason = "personal holds markup: “<b>”";
        await vault.quarantine({
          format: 1,
          key,
          type: "Unfit",
          rule: "markup",
          reason,
          at,
          tries,
          run,
          address,
          body,
        });
      }
    }
  }
}

const nothing: Done = { kind: "refused", error: undefined };

/** Errors of a command that could not be followed. */
const refusals: ReadonlySet<string> = new Set([
  "WrongUsage",
  "NoSuchState",
  "NoSingleText",
  "StateNotWhole",
  "NotAcceptable",
]);

function printed(text: string): Printed {
  return { kind: "printed", text };
}

/** The functions behind the commands. */
export function functionHands(desk: Desk): Hands {
  const place = () => desk.site.publishing;
  const by = { by: "chief" };
  const publisher = () => ({ publishing: place() });
  return {
    withdraw: (path) => words(withdrawText(path, { reason: "a complaint", by: "editor" }, publisher())),
    undo: (name) => words(undoWithdrawal(name, { by: "chief" }, publisher())),
    rollback: (wanted, language) =>
      words(rollBack(wanted, { languages: language && [language], yes: true, by }, publisher())),
    render: (languages, from) =>
      words(
        renderAgain(
          { languages, dates: from === undefined ? undefined : { from }, evenMany: true },
          publisher(),
        ),
      ),
    accept: (key) =>
      words(
        acceptAnswer(
          place(),
          key,
          { reason: "a whole reading", by: "editor", at: desk.now },
          async () => true,
        ),
      ),
    retry: (key) => words(retryAnswer(place(), key, { by: "editor", at: desk.now })),
    gc: () => words(cleanUp({ yes: true, dryRun: false, graceHours: 2, by: () => by }, place())),
    repair: () => words(repairSite(true, publisher(), () => by)),
  };
}

async function words(running: Promise<CommandResult>): Promise<Printed> {
  const { lines, said } = await running;
  return printed([...inOrder(lines), ...inOrder(said)].join("\n"));
}

let beginning: Snapshot | undefined;

/** An operator's desk in memory with its own clock, after three nights, which run once. */
export async function openDesk(): Promise<Desk> {
  const { desk, stores } = newDesk();
  if (beginning === undefined) {
    await liveNights(desk);
    beginning = await snapshotOf(stores);
    return desk;
  }
  await fill(stores, beginning);
  desk.pass(2 * dayMs);
  return desk;
}

function newDesk() {
  let atMs = Date.parse(`${firstDate}T12:00:00Z`);
  const now = () => new Date(atMs);
  const stores = { site: openMemory(now), vault: openMemory(now) };
  const pass = (ms: number) => {
    atMs += ms;
  };
  const site = newSite({ ...settings, languages: [english] }, stores);
  return { desk: new Desk({ site, now, pass, hands: functionHands }), stores };
}

export async function liveNights(desk: Desk): Promise<void> {
  for (let night = 0; night < 3; night += 1) {
    if (night > 0) desk.pass(dayMs);
    await desk.gather("nothing");
    await desk.site.night();
  }
}
