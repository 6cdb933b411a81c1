// Time sources: servers elsewhere, whose responses carry the time. With them, a machine whose clock is ahead publishes
// no date before it has come (readings/calendar.ts). Only what is reached by TLS counts: that identifies the server, and a
// server without it mostly runs on our machine, by our own clock.
//
// Between two answers time goes on by a clock that only measures durations, which nobody sets. The newest time is noted in the
// vault, so that a process that has just begun knows at least that one.
import { z } from "zod";
import type { Store } from "../store/store.ts";
import { layout } from "./files.ts";
import { changeNote, type Note, readNote } from "./note.ts";

interface KnownTime {
  readonly at: Date;
  /** Host of the time source. */
  readonly of: string;
}

export const timeNote: Note<{ readonly at: string; readonly of: string }, undefined> = {
  key: layout.time,
  schema: z.object({ at: z.iso.datetime(), of: z.string() }),
  empty: undefined,
};

/** The note is hours behind at most, so it still confirms every date that one nightly run a day publishes. */
const notedAgainAfterMs = 60 * 60_000;

/** Time for which an answer is as good as reading the note, which costs a request. */
const freshMs = 10 * 60_000;

export interface TimeSource {
  /** Records the time that a server at this address has just given: a `Date` header, or an instant. */
  readonly record: (address: string, time: string) => void;
  /** Newest recorded time plus the time elapsed since; undefined if there is none. */
  newest(vault: Store): Promise<KnownTime | undefined>;
  /** Writes the newest recorded time to the note. */
  save(vault: Store): Promise<void>;
}

export function createTimeSource(elapsedMs: () => number = () => performance.now()): TimeSource {
  let latest: { readonly of: string; readonly atMs: number; readonly sinceMs: number } | undefined;
  let isNoted = true;
  let keptMs = -Infinity;
  const own = () => latest && { of: latest.of, at: new Date(latest.atMs + elapsedMs() - latest.sinceMs) };
  return {
    record(address, time) {
      const atMs = Date.parse(time);
      const url = URL.parse(address);
      if (url?.protocol !== "https:" || Number.isNaN(atMs)) return;
      latest = { of: url.host, atMs, sinceMs: elapsedMs() };
      isNoted = false;
    },
    async newest(vault) {
      if (latest !== undefined && elapsedMs() - latest.sinceMs < freshMs) return own();
      const noted = await readNote(vault, timeNote);
      const before = noted && { of: noted.of, at: new Date(noted.at) };
      const here = own();
      if (here === undefined || before === undefined) return here ?? before;
      return here.at < before.at ? before : here;
    },
    async save(vault) {
      const here = own();
      if (isNoted || here === undefined || elapsedMs() - keptMs < freshMs) return;
      keptMs = elapsedMs();
      await changeNote(vault, timeNote, (noted) => {
        const apartMs = here.at.getTime() - Date.parse(noted?.at ?? "");
        if (Math.abs(apartMs) < notedAgainAfterMs) return undefined;
        return { at: here.at.toISOString(), of: here.of };
      });
      isNoted = true;
    },
  };
}
