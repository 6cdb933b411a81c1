// Bugs that somebody could plant: the correct code, and what it would become.
/** Each right piece stands in the file exactly once. */
type Edits = readonly (readonly [right: string, wrong: string])[];

const putObjects = "  await putMissing(site, proposed.newObjects, puts);\n";
const putAll = `${putObjects}  await putMissing(site, [...proposed.newParts, root].map(manifestPut), puts);\n`;
const notePending = `  await owner.record.note((before) => {
    const stale = before.pending === null ? [] : [before.pending];
    return { ...dropping(before, stale), pending: next, highest: Math.max(before.highest, next.version) };
  });
`;
const pointing = "  await writePointer(context, await pointerAfter(context, owner.found.pointer, next));\n";
const stalled = "test/publish/site-owner-stalled.test.ts";

interface PlantedError {
  /** The test that notices it: its file, and words of its title. */
  readonly by: readonly [file: string, title: string];
  readonly edits: Edits;
}

/** Planted errors by file. */
const plantedErrors: Readonly<Record<string, Readonly<Record<string, PlantedError>>>> = {
  "publish/state/published-files.ts": {
    "a pointer with the time of a clock ahead": {
      by: [
        "test/publish/language-day.test.ts",
        "a clock ahead never puts a far future time into the pointer",
      ],
      edits: [
        [
          "Math.min(Math.max(at.getTime(), firstMs), firstMs + mostAheadMs)",
          "Math.max(at.getTime(), firstMs)",
        ],
      ],
    },
  },
  "publish/step/commit.ts": {
    "the pointer before the objects and parts": {
      by: ["test/publish/publish-simulation.test.ts", "end whole from each of"],
      edits: [
        [putAll, ""],
        ["  return { ...known, version, step };", `${putAll}  return { ...known, version, step };`],
      ],
    },
    "the parts put, the objects forgotten": {
      by: ["test/publish/publish-simulation.test.ts", "end whole from each of"],
      edits: [[putObjects, ""]],
    },
    "the pointer before the record names its state": {
      by: ["test/publish/publish-simulation.test.ts", "end whole from each of"],
      edits: [
        [notePending, ""],
        [pointing, `${pointing}${notePending}`],
      ],
    },
    "a pointer without a condition": {
      by: [stalled, "shows nothing after another one has published"],
      edits: [
        ["pointerHeaders, unlessChanged(found.stored?.version));", 'pointerHeaders, { kind: "always" });'],
      ],
    },
    "a refused pointer taken for a written one": {
      by: [
        "test/publish/site-state.test.ts",
        "that changes during a publish stops it, and nothing is built on that",
      ],
      edits: [
        [
          'if (answer.kind === "refused") throw new PointerMoved();',
          'if (answer.kind === "refused") return;',
        ],
      ],
    },
    "a version of a dropped state used again": {
      by: ["test/publish/publish-simulation.test.ts", "end whole from each of"],
      edits: [["Math.max(highest, seen)) + 1;", "Math.max(record.value.current?.version ?? 0, seen)) + 1;"]],
    },
    "asOf goes back with a late run": {
      by: ["test/publish/publish-simulation.test.ts", "end whole from each of"],
      edits: [["asOf: before > by.asOf ? before : by.asOf,", "asOf: by.asOf,"]],
    },
  },
  "publish/step/pointer.ts": {
    "a pointer that is written again with the same bytes": {
      by: [
        "test/publish/recovery.test.ts",
        "a stalled publisher's pointer is refused after a rewrite of the pointer, even if the clock does not advance",
      ],
      edits: [["Math.max(nowMs, beforeMs + 1)", "nowMs"]],
    },
    "a pointer that every known key must have signed": {
      by: [
        "test/publish/signature.test.ts",
        "is accepted by its own key, even as the second of two during a rotation",
      ],
      edits: [["return keys.some((key)", "return keys.every((key)"]],
    },
  },
  "publish/step/site-owner.ts": {
    "a pending state dropped before the pointer is written again": {
      by: [
        "test/publish/recovery.test.ts",
        "wherever a publish and its recovery die, the next owner continues",
      ],
      edits: [
        [
          "if (await rewrite(context, found, current)) await dropPending();",
          "await dropPending();\n      await rewrite(context, found, current);",
        ],
      ],
    },
    "a lease that was not released taken for a released one": {
      by: [stalled, "shows nothing after another one has published"],
      edits: [["if (wasReleased) return cleared;", "if (wasReleased !== undefined) return cleared;"]],
    },
    "a late state taken for the current one": {
      by: [
        "test/publish/recovery.test.ts",
        "a late pointer in a store without conditional writes gives way to later publishes",
      ],
      edits: [["late.version > (current?.version ?? 0)", "late.version > 0"]],
    },
    "a clean-up that finishes a publish without the right to do so": {
      by: [
        "test/publish/clean-up.test.ts",
        "leaves an interrupted publish to a publisher, and removes nothing",
      ],
      edits: [["if (!finishes && ", "if (!finishes && !lease.wasReleased && "]],
    },
    "paths that the owner before has left unwritten stay so": {
      by: [
        "test/publish/public-paths.test.ts",
        "if an owner completes the work of two that died halfway, without writing a path twice",
      ],
      edits: [["  await finishPublicPaths(owned);\n", ""]],
    },
    "an owner whose writes no fence holds back": {
      by: [stalled, "shows nothing after another one has published"],
      edits: [["site: fenced(site, fence), leases", "site, leases"]],
    },
  },
  "publish/step/record.ts": {
    "a state forgotten that the public paths may show": {
      by: ["test/publish/recovery.test.ts", "the paths may show two states"],
      edits: [
        ["...(isWritten ? {} : withPartlyWritten(record, before.manifest)),", "...(isWritten ? {} : {}),"],
      ],
    },
    "a manifest put back from the vault without a look at its hash": {
      by: [
        "test/publish/site-state.test.ts",
        "a lost manifest is restored from the vault only if its copy is sound",
      ],
      edits: [["stored !== undefined && sha256(stored.body) === named.manifest ?", "stored !== undefined ?"]],
    },
    "a newer copy of a manifest than the record knows left aside": {
      by: [
        "test/publish/record.test.ts",
        "with an older record and several newer manifest copies, the newest is pending and the others may arrive late",
      ],
      edits: [["version > record.highest", "version < 0"]],
    },
  },
  "publish/step/site-state.ts": {
    "a state of somebody else's taken for ours": {
      by: ["test/publish/site-state.test.ts", "of somebody else starts no clean-up and no rollback"],
      edits: [['? "late" : "foreign";', '? "late" : "current";']],
    },
    "a state of ours that was put back taken for the current one": {
      by: ["test/publish/site-state.test.ts", "of the record leads to no version twice"],
      edits: [
        [
          'if (manifest === current?.manifest) return "current";',
          'if (manifest === current?.manifest || dropped.length === 0) return "current";',
        ],
      ],
    },
    "a pointer that is gone taken for a site that was never published": {
      by: [
        "test/publish/repair.test.ts",
        "restores a lost or damaged pointer to the record's current state, and signs it",
      ],
      edits: [
        [
          "stored === undefined && (value.current === null || (await isEmptied(context)))",
          "stored === undefined",
        ],
      ],
    },
    "a publish that continues from a foreign state unasked": {
      by: [
        "test/publish/site-state.test.ts",
        "stops every publish until an operator decides which state is right",
      ],
      edits: [["if (refusal !== undefined && (!continues || first === null)) throw refusal;", ""]],
    },
  },
  "publish/repair/late-writes.ts": {
    "no look at the paths of an owner that has lost the lease": {
      by: [stalled, "shows nothing after another one has published"],
      edits: [["    over.flatMap(({ states }) => states),\n", "    [],\n"]],
    },
  },
  "publish/render/render-jobs.ts": {
    "a date published that no time source confirms": {
      by: [
        "test/publish/language-day.test.ts",
        "without a time source, the clock is trusted, and any date that begins within 26 hours of one",
      ],
      edits: [
        ["return reason === undefined ? day : { ...day, stays: { reason, isFault: true } };", "return day;"],
      ],
    },
  },
  "vault/time-source.ts": {
    "a server beside us taken for a time source": {
      by: ["test/publish/language-day.test.ts", "a server without TLS, or without a time, is no time source"],
      edits: [['url?.protocol !== "https:" || ', "url === null || "]],
    },
    "the time since an answer forgotten": {
      by: [
        "test/publish/language-day.test.ts",
        "time elapsed since a time source's response counts, and a new process uses the stored response",
      ],
      edits: [["latest.atMs + elapsedMs() - latest.sinceMs", "latest.atMs"]],
    },
  },
  "publish/state/state.ts": {
    "a manifest or part taken without a look at its hash": {
      by: ["test/publish/site-state.test.ts", "a part with a forged page stops it"],
      edits: [
        ["if (stored === undefined || sha256(stored.body) === hash) return", "if (hash !== path) return"],
      ],
    },
  },
  "publish/repair/current-state.ts": {
    "a person's word that lets in what nobody of ours has signed": {
      by: [
        "test/publish/site-state.test.ts",
        "never accepts an unsigned or older state, or one that differs from the pointer",
      ],
      edits: [["if (signedByUs(context, pointer) === false) {", "if (pointer.version < 0) {"]],
    },
    "a lost pointer put back as it was, although a newer state may have been seen": {
      by: [
        "test/publish/site-state.test.ts",
        "gives way to a version that no reader has seen if it is lost together with its notes",
      ],
      edits: [["record.value.highest === version", "record.value.highest > 0"]],
    },
  },
  "publish/repair/lost-files.ts": {
    "whatever a public path has put back for a lost object": {
      by: [
        "test/publish/repair.test.ts",
        "never restores an object from bytes with another hash, but renders it again",
      ],
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
      by: [
        "test/publish/backup.test.ts",
        "with vault and site lost, a restore brings back the same responses, objects and public paths, above every earlier version",
      ],
      edits: [["Math.max(before.highest, version + far)", "version"]],
    },
  },
  "publish/step/public-paths.ts": {
    "front pages before the pages that they link to": {
      by: [
        "test/publish/public-paths.test.ts",
        "at every moment, each page that is reachable from a front page exists",
      ],
      edits: [
        [
          "return [...steps].sort(([one], [other]) => one - other)",
          "return [...steps].sort(([one], [other]) => other - one)",
        ],
      ],
    },
    "the record says that paths are written before they are": {
      by: ["test/publish/publish-simulation.test.ts", "end whole from each of"],
      edits: [
        ["  await rewrite(context, doubtful);\n  // Caches", "  // Caches"],
        ["  owner.held.clear();\n", "  await rewrite(context, doubtful);\n  owner.held.clear();\n"],
      ],
    },
    "paths that left the site stay": {
      by: [
        "test/publish/public-paths.test.ts",
        "if the very first publish died halfway, and the next one removes a path that it had written",
      ],
      edits: [["  if (gone.length > 0) await site.remove(gone.flat().map(({ path }) => path));\n", ""]],
    },
  },
  "publish/render/merged-state.ts": {
    "a merge that forgets what was not rendered this time": {
      by: ["test/publish/render.test.ts", "of today stays the current one, and is reported"],
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
      by: ["test/publish/clean-up.test.ts", "leaves young files, unknown files, and every public path"],
      edits: [["const before = new Date(now.getTime() - settings.graceMs);", "const before = now;"]],
    },
    "a removal that the record does not know of": {
      by: [
        "test/publish/clean-up.test.ts",
        "removes thousands of files in batches of at most 1,000, and records each batch first",
      ],
      edits: [["removing: commonBeginning(keys)", "removing: null"]],
    },
    "a clean-up that does not look at the pointer again": {
      by: [
        "test/publish/clean-up.test.ts",
        "reads the pointer again before each batch, and keeps files that a publish has needed since the plan",
      ],
      edits: [["  await reached.renew();\n", ""]],
    },
  },
  "store/held-lease.ts": {
    "a lease whose time begins when its renewal has ended": {
      by: [
        "test/store/lease-simulation.test.ts",
        "a renewal whose responses are lost for long counts from its first attempt",
      ],
      edits: [["    this.#elapsedMs = elapsedMs;\n", "    this.#elapsedMs = stopwatch(clock);\n"]],
    },
    "an owner whose suspended clock keeps its lease alive": {
      by: [
        "test/store/lease-simulation.test.ts",
        "an owner stopped or suspended beyond its lease does not act again",
      ],
      edits: [
        ["const isOwner = this.remainingMs() > 0;", "const isOwner = !this.#isOver;"],
        ["    if (leftMs <= 0) this.#lose(", "    if (leftMs === -Infinity) this.#lose("],
        ["    return leftMs;", "    return Math.max(1, leftMs);"],
      ],
    },
  },
  "store/lease.ts": {
    "a lease that a step of another process's wall clock steals": {
      by: [
        "test/store/lease-simulation.test.ts",
        "a step of a waiting process's wall clock neither steals a lease nor delays a takeover",
      ],
      edits: [
        [
          "const beganMs = this.clock.monotonicMs();\n    const found",
          "const beganMs = this.clock.wallMs();\n    const found",
        ],
        ["isNew ? this.clock.monotonicMs() : known.sinceMs", "isNew ? this.clock.wallMs() : known.sinceMs"],
      ],
    },
    "a stopped owner's lock, freed late, taken for the death of the next one": {
      by: [
        "test/store/lease.test.ts",
        "a stopped holder loses its lease, and its lock, released late, proves nobody's death",
      ],
      edits: [
        [
          'before === "unreleased" && entry?.isLocked === true ? file.tryLocking()',
          'before === "unreleased" ? file.tryLocking()',
        ],
      ],
    },
    "a write that the lease may not outlast": {
      by: ["test/store/s3-attempts.test.ts", "a fenced write"],
      edits: [["      await lease.enough(lifetimeMs);\n", ""]],
    },
  },
  "service/owned-endpoint.ts": {
    "a call that leaves after its owner lost the lease": {
      by: [
        "test/service/endpoint-simulation.test.ts",
        "an owner frozen beyond its lease sends nothing when it resumes",
      ],
      edits: [
        [
          "    if (!isProbe) this.breaker.check(request, caller, true);\n    if (!this.isOwner) throw new NotOwner(this.#parts.name);\n",
          "    if (!isProbe) this.breaker.check(request, caller, true);\n",
        ],
      ],
    },
  },
  "service/endpoint.ts": {
    "a new owner that does not wait for the last calls of the one before": {
      by: [
        "test/service/endpoint-simulation.test.ts",
        "a process with another rate uses its own while it is the owner, after a silence",
      ],
      edits: [["      limiter.beginAfter(lease);\n", ""]],
    },
  },
  "service/rate-limiter.ts": {
    "a call that leaves after its turn was over": {
      by: [
        "test/service/rate-limiter.test.ts",
        "a call delayed for 5 s is not sent, and nobody else gets its place until then",
      ],
      edits: [["      if (!isInTime) throw new HeldUp();\n", ""]],
    },
  },
  "service/merged-calls.ts": {
    "a call that ends although another run still waits for it": {
      by: [
        "test/service/merged-calls.test.ts",
        "a cancelled night leaves its call to the backfill, and the call is aborted when both have given up",
      ],
      edits: [["if (shared.waiters === 0) this.#end(", "if (signal.aborted) this.#end("]],
    },
    "a call that is joined after everybody gave it up": {
      by: [
        "test/service/merged-calls.test.ts",
        "a caller that arrives after the last one gave up does not join the ending work",
      ],
      edits: [
        [
          "    this.#forget(key, shared);\n    shared.controller.abort(reason);",
          "    shared.controller.abort(reason);",
        ],
      ],
    },
  },
  "service/concurrency-limit.ts": {
    "a language with calls that wait, forgotten with the end of an earlier call": {
      by: [
        "test/service/concurrency-limit.test.ts",
        "slow storing of a response blocks no call of its language forever",
      ],
      edits: [["if (isIdle && this.#languages.get(language) === of)", "if (isIdle)"]],
    },
  },
  "activities/batch.ts": {
    "a call without a look into the vault": {
      by: ["test/model/model.test.ts", "whatever fails, what is promised holds"],
      edits: [
        [
          "const held = (await stored()).has(key) ? await vault.intactResponse(key) : undefined;",
          "const held = triesBefore < 0 ? await vault.intactResponse(key) : undefined;",
        ],
      ],
    },
    "equal requests of two runs that are not merged": {
      by: ["test/model/model.test.ts", "whatever fails, what is promised holds"],
      edits: [
        [
          "await dependencies.merged.get(key, signal, (shared) =>\n      callShared(request, { ...batch, signal: shared }, dependencies),\n    );",
          "await callShared(request, batch, dependencies);",
        ],
      ],
    },
  },
  "readings/rules/echo-rules.ts": {
    "the text of another day under this one's": {
      by: ["test/readings/echo-rules-period.test.ts", "refuses another day in any language and names both"],
      edits: [['return [refuse("period", `requested', 'return [note("period", `requested']],
    },
  },
  "readings/rules/rule.ts": {
    "yesterday's text under today's date": {
      by: ["test/readings/set-rules.test.ts", "finds a whole set that did not change"],
      edits: [["!areSame(reading, earlier)", "!areAlike(sectionsOf(earlier), [])"]],
    },
  },
  "store/folder-steps.ts": {
    "a link with the time of its object": {
      by: ["test/publish/hard-links.test.ts", "no path's time goes back"],
      edits: [["    lutimesSync(path, now, now);\n", ""]],
    },
    "a condition that a folder does not look at again under its lock": {
      by: [
        "test/store/store-conformance.test.ts",
        "loses no conditional write next to writes and removals of the same key",
      ],
      edits: [["  if (isLost(root, key, when)) return undefined;\n", ""]],
    },
  },
  "store/s3.ts": {
    "a refusal after a lost answer taken for a lost race, on S3": {
      by: [
        "test/store/s3-attempts.test.ts",
        "is recognized if the server executed it and reported a failure",
      ],
      edits: [["inDoubt ? await readOnce(s3, bucket, key) : undefined;", "undefined;"]],
    },
  },
  "readings/calendar.ts": {
    "a period that the service stops giving one period too early": {
      by: ["test/readings/periods.test.ts", "reaches a day from the start of the day before it"],
      edits: [["until: startIn(zone, kind, period + 2)", "until: startIn(zone, kind, period + 1)"]],
    },
    "the first instant of a day on the wrong side of a clock change": {
      by: ["test/readings/zones.test.ts", "a midnight that comes twice"],
      edits: [["let low = wallMs - Math.max(before, after)", "let low = wallMs - Math.min(before, after)"]],
    },
  },
  "readings/gather-rules.ts": {
    "a pause without jitter": {
      by: ["test/readings/retry-rules.test.ts", "spreads requests that failed at the same moment"],
      edits: [["longestPauseMs) * (0.5 + chance)", "longestPauseMs) * (1 + 0 * chance)"]],
    },
    "an item that gives up its place twice": {
      by: [
        "test/readings/window.test.ts",
        "an item that runs for two ticks releases its place, and does not take it back when it ends",
      ],
      edits: [["    place.givenUp = true;\n", ""]],
    },
  },
  "readings/answer.ts": {
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
      by: [
        "test/site/html.test.ts",
        "a template with a value where no escaping helps throws on its first use",
      ],
      edits: [["|style$|srcdoc$)/", "|style$)/"]],
    },
  },
  "site/feed.ts": {
    "feed items whose id readers take for a link": {
      by: ["test/site/feed-readers.test.ts", "are RSS 2.0 and JSON Feed, and say the same"],
      edits: [['<guid isPermaLink="false">', "<guid>"]],
    },
  },
  "site/newsletter/newsletter.ts": {
    "a newsletter twice as large as mail programs show": {
      by: [
        "test/site/newsletter.test.ts",
        "that takes six bytes a character is shortened until the newsletter fits",
      ],
      edits: [["<= mostBytes) return written;", "<= 2 * mostBytes) return written;"]],
    },
  },
  "vault/vault.ts": {
    "the response to another request taken for this one's": {
      by: ["test/vault/stored-response.test.ts", "with the answer to another request"],
      edits: [["if (response.key !== key)", "if (response.key === undefined)"]],
    },
  },
  "vault/call-notes.ts": {
    "one call more than the day's ceiling": {
      by: ["test/vault/day-calls.test.ts", "of concurrent draws, only as many succeed as the ceiling allows"],
      edits: [["sumOf(calls) >= ceiling ? undefined", "sumOf(calls) > ceiling ? undefined"]],
    },
  },
  "activities/temporal-failures.ts": {
    "a fault of our own that Temporal retries for ever": {
      by: ["test/activities/temporal-failures.test.ts", "Temporal does not retry"],
      edits: [["message, nonRetryable: true, cause", "message, nonRetryable: false, cause"]],
    },
  },
  "publish/backup/back-up.ts": {
    "a snapshot that names the state before the last publish": {
      by: [
        "test/publish/backup.test.ts",
        "a backup during a publish names the state that the site has at its end",
      ],
      edits: [["    if ((await publishedNow(context)).state !== own.state) continue;\n", ""]],
    },
  },
  "publish/render/shown-since.ts": {
    "a text that is shown from before its publish": {
      by: [
        "test/publish/shown-since.test.ts",
        "every file that dates a text says when readers first see it, in whole seconds and never too early",
      ],
      edits: [["Math.ceil(instantMs / 1000)", "Math.floor(instantMs / 1000)"]],
    },
  },
  "worker/notifiers/notifying.ts": {
    "news that came while a notifier was called": {
      by: ["test/worker/notifying.test.ts", "changes during a notification are notified again"],
      edits: [
        ["filter(([item, count]) => noted[item] !== count)", "filter(([item]) => noted[item] === undefined)"],
      ],
    },
  },
  "worker/alerts.ts": {
    "an alert that reached nobody counted as sent": {
      by: [
        "test/worker/alerts.test.ts",
        "that failed is retried, and then sent by the next worker that finds the problem",
      ],
      edits: [["await takeBack(alert);", "log.warn({}, alert.kind);"]],
    },
  },
};

export type Mutant = PlantedError & { readonly name: string; readonly file: string };

export const mutants: readonly Mutant[] = Object.entries(plantedErrors).flatMap(([file, named]) =>
  Object.entries(named).map(([name, planted]) => ({
    ...planted,
    name,
    file,
  })),
);

/** The source of its file with the error in it. */
export function withPlantedError({ name, file, edits }: Mutant, source: string): string {
  return edits.reduce((text, [right, wrong]) => {
    if (text.split(right).length !== 2)
      throw new Error(`"${name}" can't be planted: ${file} has not exactly one «${right}»`);
    return text.replace(right, () => wrong);
  }, source);
}
