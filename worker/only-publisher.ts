// Where the site's store heeds no conditions, one at a time may publish: a workflow with a fixed id, or a command that
// holds that id while it works.
import type { Store } from "../store/store.ts";
import { type Client, WorkflowExecutionAlreadyStartedError } from "@temporalio/client";
import { lacksConditions, noConditions, probe } from "../store/probe.ts";
import { publishingId, workflowTypes } from "../workflows/names.ts";
import type { SiteLocation } from "./settings/location.ts";

/** Thrown for a store on which two publishers would lose each other's files without a word. */
export class StoreHeedsNoConditions extends Error {
  override readonly name = "StoreHeedsNoConditions";
  constructor(site: string, seen: string) {
    super(`${site} can't be published to: ${seen}; ${noConditions}`);
  }
}

/** Checked when a worker starts. A store that is away, or refuses to write at all, passes: retries wait for it. */
export async function requireConditions({ site }: SiteLocation, store: Store): Promise<void> {
  const probes = await probe(store);
  if (!lacksConditions(probes) || !probes.some(({ name, ok }) => name === "delete" && ok)) return;
  const wrong = probes.find(({ ok, name }) => !ok && name.startsWith("conditional"));
  throw new StoreHeedsNoConditions(site, wrong?.seen ?? "");
}

/** Thrown when another publisher is at work. */
export class PublishingUnderWay extends Error {
  override readonly name = "PublishingUnderWay";
}

/** After this time a command that holds the id is taken for dead: none takes a tenth of it. */
const longestTurn = "1 hour";

/** Holds the publisher's id, on a queue where nobody works, until it is disposed of or released. */
export async function holdPublishing(client: Client, site: string, purpose: string) {
  const workflowId = publishingId(site);
  let firstExecutionRunId: string;
  try {
    ({ firstExecutionRunId } = await client.workflow.start(workflowTypes.publishing, {
      workflowId,
      taskQueue: `${workflowId}-by-hand`,
      workflowExecutionTimeout: longestTurn,
      workflowIdConflictPolicy: "FAIL",
      workflowIdReusePolicy: "ALLOW_DUPLICATE",
      staticSummary: purpose,
    }));
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
    throw new PublishingUnderWay(
      `${workflowId} is running, and this store takes one publisher at a time: try again when it is done; ` +
        `what a command left that died ends within the hour, or with \`temporal workflow terminate -w ${workflowId}\``,
      { cause: error },
    );
  }
  const release = async (by: Client) => {
    await by.workflow
      .getHandle(workflowId, undefined, { firstExecutionRunId })
      .terminate(`${purpose} is done`);
  };
  return { release, [Symbol.asyncDispose]: () => release(client) };
}
