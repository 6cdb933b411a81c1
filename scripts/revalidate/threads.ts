// Judges the vault's answers on several threads if there are enough of them. Each thread has its own languages
// (scripts/revalidate/thread.ts). The work is CPU-bound, and one thread uses one core.
import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { z } from "zod";
import {
  type RevalidateProgress,
  type Revalidated,
  revalidatedSchema,
  mergedRevalidated,
} from "../../insight/judge.ts";
import {
  revalidate,
  type RevalidateInput,
  choiceOf,
  sharersOf,
  type AnswerFilter,
} from "../../insight/revalidate.ts";
import { answerKeys } from "../../vault/vault.ts";
import { requestOf } from "../../readings/request.ts";

/** With fewer answers, starting a thread takes longer than it saves. */
const fewestAnswers = 4_000;
/** More threads would wait for the store, and each one needs memory. */
const mostThreads = 4;

const said = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("progress"), judged: z.number(), set: z.string() }),
  z.object({ kind: z.literal("done"), revalidated: revalidatedSchema }),
]);
export type Said = z.infer<typeof said>;

/** `threads`: as many as are wanted, or as make sense; never more than there are languages. */
export async function judgeAll(
  wish: AnswerFilter,
  revalidating: RevalidateInput,
  threads: number | undefined,
) {
  const most = Math.min(threads ?? Math.min(availableParallelism(), mostThreads), sharersOf(wish).length);
  const of = threads !== undefined || (most > 1 && (await hasMany(wish, revalidating))) ? most : 1;
  if (of === 1) return revalidate(wish, revalidating);
  const progress = Array.from({ length: of }, () => 0);
  const ended = new AbortController();
  try {
    return mergedRevalidated(
      await Promise.all(
        progress.map((_none, index) =>
          judgeApart({ ...wish, part: { index, of } }, ended.signal, ({ judged, set }) => {
            progress[index] = judged;
            revalidating.onProgress?.({ judged: progress.reduce((sum, one) => sum + one, 0), set });
          }),
        ),
      ),
    );
  } finally {
    ended.abort(); // after one failure the others need not continue
  }
}

async function hasMany(wish: AnswerFilter, { vault }: RevalidateInput) {
  const choice = choiceOf(wish);
  let answers = 0;
  for (const prefix of choice.prefixes) {
    for await (const key of answerKeys(vault.store, "responses", prefix)) {
      const request = requestOf(key);
      if (request !== undefined && choice.of(request) !== "no") answers += 1;
      if (answers >= fewestAnswers) return true;
    }
  }
  return false;
}

function judgeApart(
  wish: AnswerFilter,
  signal: AbortSignal,
  onProgress: (progress: RevalidateProgress) => void,
) {
  return new Promise<Revalidated>((resolve, reject) => {
    const thread = new Worker(new URL("thread.ts", import.meta.url), { workerData: wish });
    signal.addEventListener("abort", () => void thread.terminate(), { once: true });
    thread.once("error", reject);
    thread.once("exit", (code) => reject(new Error(`a validation thread ended with exit code ${code}`)));
    thread.on("message", (message) => {
      const one = said.parse(message);
      if (one.kind === "progress") onProgress(one);
      else resolve(one.revalidated);
    });
  });
}
