// How far a command is, on a terminal: one line on stderr that is written over, and nothing anywhere else; the line goes
// with the progress.

const everyMs = 200;
const nothing = () => undefined;

export function progressOf(what: string, stream: NodeJS.WriteStream = process.stderr) {
  if (!stream.isTTY) return { show: nothing, tell: nothing, [Symbol.dispose]: nothing };
  let shownMs = Number.NEGATIVE_INFINITY;
  let hasShown = false;
  const write = (words: string, isLast: boolean) => {
    const nowMs = performance.now();
    if (nowMs - shownMs < everyMs && !isLast) return;
    shownMs = nowMs;
    hasShown = true;
    stream.write(`\r${what}: ${words}\u001B[K`);
  };
  return {
    show: (done: number, of: number) => write(`${done} of ${of}`, done >= of),
    /** Where it is not known how much there is. */
    tell: (words: string) => write(words, false),
    [Symbol.dispose]() {
      if (hasShown) stream.write("\r\u001B[K");
    },
  };
}
