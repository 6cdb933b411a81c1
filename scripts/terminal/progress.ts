// Progress on a terminal: one line that is overwritten, the pace of a run, and a row for each language.
import type { RunProgress, Tally } from "../../readings/run-messages.ts";
import { totalOf } from "../../readings/tally.ts";
import { tableLines } from "./output.ts";

const lineEveryMs = 200;
const nothing = () => undefined;

/** One line on stderr, on a terminal only; it is cleared when the progress is disposed of. */
export function progressOf(what: string, stream: NodeJS.WriteStream = process.stderr) {
  if (!stream.isTTY) return { show: nothing, tell: nothing, [Symbol.dispose]: nothing };
  let shownMs = Number.NEGATIVE_INFINITY;
  let hasShown = false;
  const write = (words: string, isLast: boolean) => {
    const nowMs = performance.now();
    if (nowMs - shownMs < lineEveryMs && !isLast) return;
    shownMs = nowMs;
    hasShown = true;
    stream.write(`\r${what}: ${words}\u001B[K`);
  };
  return {
    show: (done: number, of: number) => write(`${done} of ${of}`, done >= of),
    /** For progress whose end is not known. */
    tell: (words: string) => write(words, false),
    [Symbol.dispose]() {
      if (hasShown) stream.write("\r\u001B[K");
    },
  };
}

export type RunPace = ReturnType<typeof paceOf>;

export function paceOf(done: number, remaining: number, seconds: number) {
  const rate = seconds > 0 && done > 0 ? done / seconds : 0;
  return {
    ratePerSecond: Math.round(rate * 100) / 100,
    /** Undefined while no readings come in. */
    secondsLeft: rate > 0 ? Math.ceil(remaining / rate) : undefined,
  };
}

/** Averaging window: 30 s predicts a night's end better than the whole night, and fluctuates less than shorter windows. */
const lookBackSeconds = 30;

/** A pace for repeated looks: it counts from the first look on, whatever had come in before. */
export function createPacing() {
  const looks: { readonly done: number; readonly seconds: number }[] = [];
  return (done: number, planned: number, seconds: number) => {
    looks.push({ done, seconds });
    while (looks.length > 2 && seconds - (looks[1]?.seconds ?? seconds) >= lookBackSeconds) looks.shift();
    const [first = { done, seconds }] = looks;
    return paceOf(done - first.done, planned - done, seconds - first.seconds);
  };
}

export function paceWords({ ratePerSecond, secondsLeft }: RunPace): string[] {
  const rate = `${ratePerSecond.toFixed(1)} per second`;
  return secondsLeft === undefined ? [rate] : [rate, `about ${durationWords(secondsLeft)} left`];
}

export function durationWords(seconds: number): string {
  if (seconds < 100) return `${Math.round(seconds)} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 100) return `${minutes} min`;
  const hours = `${Math.floor(minutes / 60)} h`;
  return minutes % 60 === 0 ? hours : `${hours} ${minutes % 60} min`;
}

export function totalsOf(tallies: Iterable<Tally | undefined>) {
  const { stored, held, ...total } = totalOf(tallies);
  return { ...total, done: stored + held + total.skipped };
}

/** A row for each language. If there are too many for the screen, those that are complete are left out. */
export function languageLines({ languages }: RunProgress, mostLines = Infinity): string[] {
  const all = Object.entries(languages).map(([language, tally]) => {
    const { done, planned, skipped } = totalsOf([tally]);
    return { language, done, planned, skipped };
  });
  const shown = all.length < mostLines ? all : all.filter(({ done, planned }) => done < planned);
  const rows = shown.map(({ language, done, planned, skipped }) => [language, done, planned, skipped]);
  return tableLines(["language", "done", "requested", "skipped"], rows).slice(0, mostLines);
}
