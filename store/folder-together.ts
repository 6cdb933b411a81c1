// Writers of one folder wait for the disk together: while one bunch is flushed the next gathers, so that the flushes of many
// writes are few. What has been moved into place is flushed along with the next bunch's files.
import type { Flush } from "./folder-flush.ts";
import { discard, putInPlace } from "./folder-write.ts";
import { type UnderLock, underOneTaking } from "./lock.ts";
import type { Condition } from "./store.ts";

interface Place {
  readonly root: string;
  readonly underLock: UnderLock;
  readonly flush: Flush;
}

interface Waiting {
  readonly key: string;
  readonly temporary: string;
  readonly when: Condition;
  readonly answer: PromiseWithResolvers<boolean>;
}

interface Moved extends Pick<Waiting, "answer"> {
  readonly changed: readonly string[];
}

export type PutTogether = (key: string, temporary: string, when: Condition) => Promise<boolean>;

/** Puts what lies aside in its place, for good; false where the condition does not hold. */
export function createPutTogether(place: Place): PutTogether {
  let waiting: Waiting[] = [];
  let running = false;

  async function run() {
    let moved: Moved[] = [];
    while (waiting.length + moved.length > 0) {
      const bunch = waiting;
      waiting = [];
      const paths = [...bunch.map(({ temporary }) => temporary), ...moved.flatMap(({ changed }) => changed)];
      try {
        await place.flush(new Set(paths));
        for (const { answer } of moved) answer.resolve(true);
        moved = await move(place, bunch);
      } catch (error) {
        for (const { answer } of [...moved, ...bunch]) answer.reject(error);
        moved = [];
      }
    }
    running = false;
  }

  return async (key, temporary, when) => {
    const answer = Promise.withResolvers<boolean>();
    waiting.push({ key, temporary, when, answer });
    if (!running) {
      running = true;
      setImmediate(() => void run()); // those who come at the same moment are in the first bunch
    }
    let written = false;
    try {
      written = await answer.promise;
      return written;
    } finally {
      if (!written) await discard(temporary);
    }
  };
}

/** One whose own move fails or is refused is answered at once, and holds up no other. */
async function move({ root, underLock }: Place, bunch: readonly Waiting[]) {
  const moved: Moved[] = [];
  const moveOne = (one: Waiting, sound: Set<string>) => {
    try {
      const changed = putInPlace(root, one, sound);
      if (changed === undefined) one.answer.resolve(false);
      else moved.push({ changed, answer: one.answer });
    } catch (error) {
      one.answer.reject(error);
    }
  };
  for (const some of underOneTaking(bunch)) {
    const sound = new Set<string>();
    await underLock(() => some.forEach((one) => moveOne(one, sound)));
  }
  return moved;
}
