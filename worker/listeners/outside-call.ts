// One call to a service of others, such as a CDN's. What such a service answers is never shown, for it may hold what was sent.
import { retryAfterMs } from "../../readings/retry-after.ts";
import { answerFrom, type OutsideQuestion, shortReasonOf } from "../outside-answer.ts";
import type { Environment } from "../settings/environment.ts";
import { NotTold } from "./listener.ts";

export interface OutsideAnswer {
  readonly status: number;
  readonly text: string;
  readonly afterMs: number | undefined;
}

const longestText = 100_000;

export async function callOutside(
  question: OutsideQuestion,
  proxies: Environment["proxies"],
  signal?: AbortSignal,
): Promise<OutsideAnswer> {
  try {
    return await answerFrom(
      question,
      proxies,
      async (response) => {
        const text = (await response.text()).slice(0, longestText);
        const afterMs = retryAfterMs(response.headers.get("retry-after") ?? undefined, new Date());
        return { status: response.status, text, afterMs };
      },
      signal,
    );
  } catch (error) {
    const seen = `${question.url.host} does not answer: ${shortReasonOf(error)}`;
    throw new NotTold({ seen, remedy: "see that this machine gets there", again: true });
  }
}
