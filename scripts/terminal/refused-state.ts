// What the commands that only look say of a state that no publisher would build on.
import type { StateRefused } from "../../publish/step/refusal.ts";
import type { Opening } from "../../worker/opened-site.ts";
import { publishedState } from "../../worker/published-state.ts";
import { exitCodes } from "./errors.ts";
import { say, sentence } from "./output.ts";

/** Says it on stderr, and in the exit code. As it stands in the document of `--json`; null where the state is ours. */
export async function tellRefusedState(
  opening: Opening,
): Promise<Pick<StateRefused, "seen" | "remedy"> | null> {
  const { refusal } = await publishedState(opening);
  if (refusal === undefined) return null;
  const { seen, remedy } = refusal;
  say(sentence(seen), sentence(`next: ${remedy}`));
  process.exitCode = exitCodes.setAside;
  return { seen, remedy };
}
