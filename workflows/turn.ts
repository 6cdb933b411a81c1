// Turning the page: publishes every language whose local date has changed, from what the vault holds, without a call.
import type { PublishResult } from "../activities/contracts.ts";
import { publishing, publishInTurn } from "./publishing.ts";

export async function turn(): Promise<PublishResult> {
  try {
    return await publishing();
  } catch (error) {
    return await publishInTurn(error);
  }
}
