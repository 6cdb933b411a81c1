// How far a command is, on a terminal: one line on stderr that is written over, and nothing anywhere else.

const everyMs = 200;

export interface Progress {
  show(done: number, of: number): void;
  end(): void;
}

export function progressOf(what: string, stream: NodeJS.WriteStream = process.stderr): Progress {
  if (!stream.isTTY) return { show: () => undefined, end: () => undefined };
  let shownMs = Number.NEGATIVE_INFINITY;
  let hasShown = false;
  return {
    show(done, of) {
      const nowMs = performance.now();
      if (nowMs - shownMs < everyMs && done < of) return;
      shownMs = nowMs;
      hasShown = true;
      stream.write(`\r${what}: ${done} of ${of}\u001B[K`);
    },
    end() {
      if (hasShown) stream.write("\r\u001B[K");
    },
  };
}
