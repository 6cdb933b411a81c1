// Turning the page: publishes every language whose local date has changed, from what the vault holds, without a call.
import { type PublishResult } from "../activities/contracts.ts";
import { mainActivities } from "./activities.ts";

export async function turn(): Promise<PublishResult> {
  return mainActivities("turn the page where the date has changed").turn();
}
