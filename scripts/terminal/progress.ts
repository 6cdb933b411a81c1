// How far a command is, on a terminal: one line on stderr that is written over, and nothing anywhere else.

const everyMs = 200;

export interface Progress {
  show(done: number, of: number): void;
  /** Where it is not known how much there is. */
  tell(words: string): void;
  end(): void;
}

export function progressOf(what: string, stream: NodeJS.WriteStream = process.stderr): Progress {
  if (!stream.isTTY) return { show: () => undefined, tell: () => undefined, end: () => undefined };
  let shownMs = Number.NEGATIVE_INFINITY;
  let hasShown = false;
  const write = (words: string, isLast: boolean): void => {
    const nowMs = performance.now();
    if (nowMs - shownMs < everyMs && !isLast) return;
    shownMs = nowMs;
    hasShown = true;
    stream.write(`\r${what}: ${words}\u001B[K`);
  };
  return {
    show: (done, of) => write(`${done} of ${of}`, done >= of),
    tell: (words) => write(words, false),
    end() {
      if (hasShown) stream.write("\r\u001B[K");
    },
  };
}
