// When an answer is judged: one at a time, and after all that has come meanwhile. Answers that were asked for together come
// together, and each judgement takes some milliseconds of this thread: judged as they come, the last of 32 would keep its slot
// from the next call until 31 others had been judged, a tenth of a second (measured on answers that take as long).
import { setImmediate as whatHasCome } from "node:timers/promises";
import pLimit from "p-limit";

const oneAtATime = pLimit(1);

/** Resolves when an answer may be judged. Its slot is given on before. */
export const turnToJudge = (): Promise<void> => oneAtATime(() => whatHasCome());
