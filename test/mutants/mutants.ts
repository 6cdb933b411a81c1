// Bugs that somebody could plant: the correct code, and what it would become.
/** Each right piece stands in the file exactly once. */
type Edits = readonly (readonly [right: string, wrong: string])[];

const won = "return isWritten ? pointer : undefined;";
const putObjects = "await putMissing(site, next.newObjects, puts);";
const putAll = `${putObjects}
  await putMissing(site, [...next.newParts, root].map(manifestPut), puts);`;

interface Mistake {
  /** The test that notices it: its file, and words of its title. */
  readonly by: readonly [file: string, title: string];
  readonly edits: Edits;
}

/** By the file in which each is made. */
const mistakes: Readonly<Record<string, Readonly<Record<string, Mistake>>>> = {
  "publish/state/believed-time.ts": {
    "a pointer with the time of a clock ahead": {
      by: ["test/publish/language-day.test.ts", "a clock ahead gives the pointer no time that is far ahead"],
      edits: [
        [
          "Math.min(Math.max(at.getTime(), firstMs), firstMs + mostAheadMs)",
          "Math.max(at.getTime(), firstMs)",
        ],
      ],
    },
  },
  "publish/step/pointer-swap.ts": {
    "the pointer before the objects and parts": {
      by: ["test/publish/publish-simulation.test.ts", "end whole from each of"],
      edits: [
        [putAll, ""],
        [won, `${putAll}\n  ${won}`],
      ],
    },
    "the parts put, the objects forgotten": {
      by: ["test/publish/publish-simulation.test.ts", "end whole from each of"],
      edits: [[putObjects, ""]],
    },
    "a swap without a condition": {
      by: ["test/publish/publish-simulation.test.ts", "end whole from each of"],
      edits: [["pointerHeaders, unlessChanged(version));", 'pointerHeaders, { kind: "always" });']],
    },
    "a lost swap taken for a won one": {
      by: ["test/publish/publish-simulation.test.ts", "end whole from each of"],
      edits: [[won, "return pointer;"]],
    },
    "asOf goes back with a late run": {
      by: ["test/publish/publish-simulation.test.ts", "end whole from each of"],
      edits: [["asOf: before > by.asOf ? before : by.asOf,", "asOf: by.asOf,"]],
    },
    "a publisher that does not look at what a clean-up is about to remove": {
      by: [
        "test/publish/sweeping.test.ts",
        "a page that a clean-up takes after it was put is printed and put again",
      ],
      edits: [["  if (await forgetSwept(place, puts)) return undefined;\n", ""]],
    },
  },
  "publish/press/language-day.ts": {
    "a date published that no witness confirms": {
      by: ["test/publish/language-day.test.ts", "without a witness the clock is believed"],
      edits: [
        ["return reason === undefined ? day : { ...day, stays: { reason, isFault: true } };", "return day;"],
      ],
    },
  },
  "vault/witness.ts": {
    "a server beside us taken for a witness": {
      by: [
        "test/publish/language-day.test.ts",
        "what is not reached by TLS, or names no time, is no witness",
      ],
      edits: [['url?.protocol !== "https:" || ', "url === null || "]],
    },
    "the time since an answer forgotten": {
      by: ["test/publish/language-day.test.ts", "the time since an answer counts"],
      edits: [["told.atMs + elapsedMs() - told.sinceMs", "told.atMs"]],
    },
  },
  "publish/state/puts.ts": {
    "an object put only where none is, so that its age stays old": {
      by: ["test/publish/sweeping.test.ts", "end with a whole site in every order of their calls"],
      edits: [
        ["site.write(key, bytes, headers, always)", 'site.write(key, bytes, headers, { kind: "absent" })'],
      ],
    },
  },
  "publish/step/advance.ts": {
    "the stable paths before the pointer": {
      by: ["test/publish/publish-simulation.test.ts", "end whole from each of"],
      edits: [
        ["import type { Swap } from", "import { changesBetween, type Swap } from"],
        [
          "    const pointer = await swapIn(place, base, next, by, puts);\n",
          `    for (const { path } of (await changesBetween(reader, base?.manifest, next)).filter(({ reason }) => reason === "changed")) {
      const [bytes] = next.newObjects;
      if (bytes !== undefined) await place.site.write(path, bytes.bytes, bytes.headers, { kind: "always" });
    }
    const pointer = await swapIn(place, base, next, by, puts);\n`,
        ],
      ],
    },
    "what a dead publisher left stays when there is nothing new": {
      by: ["test/publish/publish-simulation.test.ts", "end whole from each of"],
      edits: [
        ['      if ((await showSwapped(place, found, { reader, manifests })) !== "stands") continue;\n', ""],
      ],
    },
    "a lost swap tried again with the parts of the old base": {
      by: ["test/publish/publish-simulation.test.ts", "end whole from each of"],
      edits: [
        [
          "const next = await propose(base, reader, puts, proposed);",
          "const next = proposed ?? (await propose(base, reader, puts, proposed));",
        ],
      ],
    },
  },
  "publish/step/judgement.ts": {
    "a state of somebody else's taken for ours": {
      by: [
        "test/publish/own-state.test.ts",
        "takes no word for what is not signed, is older, or is not what the pointer names",
      ],
      edits: [['? "older" : "not ours";', '? "older" : "ours";']],
    },
    "a state of ours that was put back taken for the last one": {
      by: [
        "test/publish/own-state.test.ts",
        "takes no word for what is not signed, is older, or is not what the pointer names",
      ],
      edits: [["after === (last?.manifest ?? null)", "after !== undefined"]],
    },
    "a state of before the intents taken over unsigned, where there are keys": {
      by: ["test/publish/own-state.test.ts", "is taken over only if it is signed, where there are keys"],
      edits: [['isSigned === false ? "unsigned" : "taken over"', '"taken over"']],
    },
  },
  "publish/step/intents.ts": {
    "a version used again": {
      by: ["test/publish/own-state.test.ts", "that is put back in that moment leads to no version twice"],
      edits: [
        ["Math.max(above, ...intents.map((one) => one.version)) + 1 + rank", "above + 1 + rank"],
        ["    if (isAlone(intent)) return {", "    if (rank === 0) return {"],
      ],
    },
    "a state that nobody noted before the swap": {
      by: [
        "test/publish/own-state.test.ts",
        "is ours where its publisher died between the swap and the journal",
      ],
      edits: [["    await writeIntent(place, intent, root.bytes);\n    intents", "    intents"]],
    },
    "a manifest put back from the vault without a look at its hash": {
      by: [
        "test/publish/own-state.test.ts",
        "a lost manifest comes from the vault only if it is whole there",
      ],
      edits: [
        [
          "if (stored !== undefined && sha256(stored.body) === hash) return",
          "if (stored !== undefined) return",
        ],
      ],
    },
  },
  "publish/step/found-state.ts": {
    "a pointer that is gone taken for a site that was never published": {
      by: [
        "test/publish/repair.test.ts",
        "puts a lost or damaged pointer back to what the journal says was shown, and signs it",
      ],
      edits: [
        [
          "stored === undefined && (confirmed === undefined || (await isEmptied(place)))",
          "stored === undefined",
        ],
      ],
    },
  },
  "publish/state/state.ts": {
    "a manifest or part taken without a look at its hash": {
      by: ["test/publish/own-state.test.ts", "a part with a page of somebody else's stops it"],
      edits: [
        ["if (stored === undefined || sha256(stored.body) === hash) return", "if (hash !== path) return"],
      ],
    },
  },
  "publish/mend/accepted-state.ts": {
    "a person's word that lets in what nobody of ours has signed": {
      by: [
        "test/publish/own-state.test.ts",
        "takes no word for what is not signed, is older, or is not what the pointer names",
      ],
      edits: [["if (signedByUs(place, pointer) === false) {", "if (pointer.version < 0) {"]],
    },
  },
  "publish/mend/current-state.ts": {
    "a lost pointer put back as it was, although a newer state may have been seen": {
      by: ["test/publish/own-state.test.ts", "gives way to a version that no reader has seen"],
      edits: [["word.intents.every((intent) => intent.version <= version)", "word.intents.length > 0"]],
    },
  },
  "publish/mend/object-repair.ts": {
    "whatever a stable path has put back for a lost object": {
      by: ["test/publish/repair.test.ts", "puts nothing in a lost object's place that has another hash"],
      edits: [
        [
          'if (look.kind === "bytes" && sha256(look.bytes) === object) return',
          'if (look.kind === "bytes") return',
        ],
      ],
    },
  },
  "publish/backup/restore.ts": {
    "a restored site whose next version may have been there before": {
      by: ["test/publish/backup.test.ts", "come back, above every version there was"],
      edits: [["version + Math.max(leastVersions, since)", "version"]],
    },
  },
  "publish/step/stable-paths.ts": {
    "front pages before the pages that they link to": {
      by: [
        "test/publish/projection.test.ts",
        "at every moment each page that can be followed from a front page is there",
      ],
      edits: [
        [
          "return [...steps].sort(([one], [other]) => one - other)",
          "return [...steps].sort(([one], [other]) => other - one)",
        ],
      ],
    },
    "paths that left the site stay": {
      by: ["test/publish/projection.test.ts", "and the next one takes a path away that it had written"],
      edits: [["  if (gone.length > 0) await site.remove(gone.flat().map(({ path }) => path));\n", ""]],
    },
  },
  "publish/step/projection.ts": {
    "a publisher that does not say what it is about to rewrite": {
      by: [
        "test/publish/projection.test.ts",
        "where one that took hours finds the line of another that died meanwhile",
      ],
      edits: [
        ["if (!(await writeJournal(place, begun, version))) continue;", "if (version === '') continue;"],
      ],
    },
    "a publisher that was overtaken takes its old pages for the new ones": {
      by: [
        "test/publish/projection.test.ts",
        "where someone who finishes for another goes on after that one has ended",
      ],
      edits: [["if (journal.ends !== begun.ends && journal.shown !== us.to) return undefined;", ""]],
    },
  },
  "publish/step/swapped-state.ts": {
    "a withdrawal that takes an older pointer for its own": {
      by: ["test/publish/swapped-state.test.ts", "before the withdrawal has noted its swap"],
      edits: [
        [
          'if (shown?.pointer.manifest === seen.manifest) return "stands";',
          'if (shown !== undefined) return "stands";',
        ],
      ],
    },
    "a publisher that leaves its state in the place of a newer one": {
      by: ["test/publish/swapped-state.test.ts", "between the last look and the swap of another publish"],
      edits: [['return "astray";', 'return "lost";']],
    },
  },
  "publish/press/merged-state.ts": {
    "a merge that forgets what was not pressed this time": {
      by: ["test/publish/press.test.ts", "of today stays the current one, and is named"],
      edits: [
        [
          "const after: Record<string, FileEntry> = { ...before };",
          "const after: Record<string, FileEntry> = {};",
        ],
      ],
    },
  },
  "publish/history/clean-up.ts": {
    "a clean-up without grace": {
      by: [
        "test/publish/clean-up.test.ts",
        "leaves alone what is young, what it did not write, and every stable path",
      ],
      edits: [["const before = new Date(now.getTime() - settings.graceMs);", "const before = now;"]],
    },
    "a clean-up that does not look at the pointer again": {
      by: ["test/publish/clean-up.test.ts", "reads the pointer again before each batch"],
      edits: [["  await reached.renew();\n", ""]],
    },
  },
  "publish/state/sweeping.ts": {
    "a list of a clean-up that goes as soon as it is over": {
      by: ["test/publish/sweeping.test.ts", "end with a whole site in every order of their calls"],
      edits: [["  await write(place, sweep, true);\n", "  await place.vault.store.remove([sweep.note]);\n"]],
    },
  },
  "worker/fair-shares.ts": {
    "a share that grows by what others still have": {
      by: [
        "test/worker/rate-share-simulation.test.ts",
        "what is left of a night's work is done at the whole rate, whoever has it",
      ],
      edits: [
        [
          "const isRoom = target <= free && Math.ceil(target) <= room;",
          "const isRoom = target < Infinity || free + room > 0;",
        ],
      ],
    },
  },
  "worker/pacer.ts": {
    "a call that leaves after its worker's share was over": {
      by: [
        "test/worker/pacer.test.ts",
        "a call that is held up until its worker's share is over does not leave",
      ],
      edits: [["this.#out.delete(turn) && nowMs < this.#untilMs;", "this.#out.delete(turn);"]],
    },
  },
  "readings/gates/echo-gates.ts": {
    "the text of another day under this one's": {
      by: ["test/readings/period-echo.test.ts", "refuses another day in any language and says both"],
      edits: [['return [refuse("period", `asked', 'return [note("period", `asked']],
    },
  },
  "readings/sheet-gates.ts": {
    "yesterday's text under today's date": {
      by: ["test/readings/sheet-gates.test.ts", "finds a whole sheet that stayed as it was"],
      edits: [["!areSame(reading, earlier)", "!areAlike(sectionsOf(earlier), [])"]],
    },
  },
  "store/folder-write.ts": {
    "a condition that a folder does not look at again under its lock": {
      by: [
        "test/store/store-conformance.test.ts",
        "loses no swap beside writes and removals of the same key",
      ],
      edits: [["  if (isLost(root, key, when)) return undefined;\n", ""]],
    },
  },
  "store/s3.ts": {
    "a refusal after a lost answer taken for a lost race, on S3": {
      by: [
        "test/store/s3-attempts.test.ts",
        "is recognised when the server carried it out and answered that it failed",
      ],
      edits: [["inDoubt ? await readOnce(s3, bucket, key) : undefined;", "undefined;"]],
    },
  },
  "readings/periods.ts": {
    "a period that the service stops giving one period too early": {
      by: ["test/readings/periods.test.ts", "reaches a day from the start of the day before it"],
      edits: [["until: startIn(zone, kind, period + 2)", "until: startIn(zone, kind, period + 1)"]],
    },
  },
  "readings/retry-rules.ts": {
    "a pause without jitter": {
      by: ["test/readings/retry-rules.test.ts", "spreads requests that failed at the same moment"],
      edits: [["longestPauseMs) * (0.5 + chance)", "longestPauseMs) * (1 + 0 * chance)"]],
    },
  },
  "readings/envelope.ts": {
    "refused credentials under HTTP 403 taken for a rejected request": {
      by: ["test/readings/envelope.test.ts", "of the credentials is one under status 400 and 403"],
      edits: [["status === 401 || success === 3", "status === 401"]],
    },
  },
  "readings/clean-text.ts": {
    "letters that are not composed once an invisible character is gone": {
      by: ["test/readings/clean-text.test.ts", "compose letters that an invisible character kept apart"],
      edits: [['const composed = visible.normalize("NFC");', "const composed = visible;"]],
    },
  },
  "readings/plan-order.ts": {
    "a plan that gives one place to several requests": {
      by: ["test/readings/forecast.test.ts", "keeps every reading when any order of all does"],
      edits: [["    if (free > 0) next[free] = free - 1;\n", ""]],
    },
  },
  "readings/zones.ts": {
    "the first instant of a day on the wrong side of a clock change": {
      by: ["test/readings/zones.test.ts", "a midnight that comes twice"],
      edits: [["let low = wallMs - Math.max(before, after)", "let low = wallMs - Math.min(before, after)"]],
    },
  },
  "readings/cards.ts": {
    "a card with another card's picture": {
      by: [
        "test/readings/cards.test.ts",
        "are the same readings as numbered fields in any form and as a list of cards",
      ],
      edits: [
        [
          "{ card: answer.card2, result: answer.yang, image: answer.card2_image }",
          "{ card: answer.card2, result: answer.yang, image: answer.card1_image }",
        ],
      ],
    },
  },
  "service/exchange.ts": {
    "refused credentials that a dripping body hides": {
      by: [
        "test/service/service-faults.test.ts",
        "a refusal speaks through its status, whatever became of its body",
      ],
      edits: [["(this.#status < 200 || this.#status > 299)", "(this.#status < 200 || this.#status > 499)"]],
    },
  },
  "service/secret.ts": {
    "a credential in base64 at the third offset": {
      by: ["test/service/service-secrets.test.ts", "takes a secret out of any text"],
      edits: [["return [0, 1, 2].flatMap", "return [0, 1].flatMap"]],
    },
  },
  "site/html.ts": {
    "a value in srcdoc, which no escaping makes safe": {
      by: ["test/site/html.test.ts", "a template that puts a value where no escaping helps"],
      edits: [["|style$|srcdoc$)/", "|style$)/"]],
    },
  },
  "site/feed.ts": {
    "feed items whose id readers take for a link": {
      by: ["test/site/feed-readers.test.ts", "are RSS 2.0 and JSON Feed, and say the same"],
      edits: [['<guid isPermaLink="false">', "<guid>"]],
    },
  },
  "site/newsletter.ts": {
    "a newsletter twice as large as mail programs show": {
      by: [
        "test/site/newsletter.test.ts",
        "that takes six bytes a character is shortened until the newsletter fits",
      ],
      edits: [["<= mostBytes) return written;", "<= 2 * mostBytes) return written;"]],
    },
  },
  "vault/stored-capture.ts": {
    "the response to another request taken for this one's": {
      by: ["test/vault/stored-capture.test.ts", "with the answer to another request"],
      edits: [["if (capture.key !== key)", "if (capture.key === undefined)"]],
    },
  },
  "vault/day-calls.ts": {
    "one call more than the day's ceiling": {
      by: [
        "test/vault/day-calls.test.ts",
        "of those that draw a call at once as many get one as the ceiling has room for",
      ],
      edits: [["sumOf(calls) >= ceiling ? undefined", "sumOf(calls) > ceiling ? undefined"]],
    },
  },
  "workflows/window.ts": {
    "an item that gives up its place twice": {
      by: ["test/workflows/window.test.ts", "an item that is out at two ticks gives up its place"],
      edits: [["    place.givenUp = true;\n", ""]],
    },
  },
  "activities/temporal-failures.ts": {
    "a fault of our own that Temporal retries for ever": {
      by: ["test/activities/temporal-failures.test.ts", "a fault of our own"],
      edits: [["message, nonRetryable: true, cause", "message, nonRetryable: false, cause"]],
    },
  },
  "publish/state/signature.ts": {
    "a pointer that every known key must have signed": {
      by: ["test/publish/signature.test.ts", "is accepted by its own key, also as the second of two"],
      edits: [["return keys.some((key)", "return keys.every((key)"]],
    },
  },
  "publish/backup/back-up.ts": {
    "a snapshot that names the state before the last publish": {
      by: ["test/publish/backup.test.ts", "a backup during which the site is published names the state"],
      edits: [["    if ((await publishedNow(place)).state !== own.state) continue;\n", ""]],
    },
  },
  "publish/press/shown-since.ts": {
    "a text that is shown from before its publish": {
      by: ["test/publish/shown-since.test.ts", "in whole seconds and none of them too early"],
      edits: [["Math.ceil(instantMs / 1000)", "Math.floor(instantMs / 1000)"]],
    },
  },
  "worker/listeners/untold-note.ts": {
    "news that came while a notifier was called": {
      by: ["test/worker/telling.test.ts", "what changes again while it is told is told once more"],
      edits: [
        ["filter(([item, count]) => noted[item] !== count)", "filter(([item]) => noted[item] === undefined)"],
      ],
    },
  },
  "worker/alerts/alerts.ts": {
    "an alert that reached nobody counted as sent": {
      by: ["test/worker/alerts.test.ts", "that did not arrive is tried again"],
      edits: [["await takeBack(alert);", "log.warn({}, alert.kind);"]],
    },
  },
};

export type Mutant = Mistake & { readonly name: string; readonly file: string };

export const mutants: readonly Mutant[] = Object.entries(mistakes).flatMap(([file, named]) =>
  Object.entries(named).map(([name, mistake]) => ({ ...mistake, name, file })),
);

/** The source of its file with the mistake in it. */
export function withMistake({ name, file, edits }: Mutant, source: string): string {
  return edits.reduce((text, [right, wrong]) => {
    if (text.split(right).length !== 2)
      throw new Error(`"${name}" can't be planted: ${file} has not exactly one «${right}»`);
    return text.replace(right, () => wrong);
  }, source);
}
