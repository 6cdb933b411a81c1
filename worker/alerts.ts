// Sends alerts to the log and to the webhook. Alerts to be sent once are recorded in the vault, so that only one of many workers sends them; if the vault
// is down, each worker does.
import { z } from "zod";
import { type Store, StoreFailure } from "../store/store.ts";
import { type Alert, type AlertKind, alertKinds } from "../activities/alert-kinds.ts";
import type { Log } from "../vault/vault.ts";
import { siteLayout } from "../vault/files.ts";
import { changeNote } from "../vault/note.ts";
import type { Webhook } from "./webhook.ts";

export type AlertForm = "json" | "slack";

interface AlertSettings {
  readonly site: { readonly id: string; readonly name: string };
  /** The plain store, without the one that raises alerts: a failure here would be another alert. */
  readonly vault: Store;
  readonly webhook: Webhook | undefined;
  /** The webhook's form; if it is absent, the address decides. */
  readonly form: AlertForm | undefined;
  readonly log: Log;
  /** Prints the alert at the terminal if the log goes to a file. */
  readonly say?: (line: string) => void;
  readonly now: () => Date;
}

const saidSchema = z.object({ once: z.string(), at: z.string() });

/** One note per kind of alert. After an alert of the same kind about another matter, an earlier one may be sent again. */
export function alertNote(kind: AlertKind) {
  return { key: siteLayout.alert(kind), schema: saidSchema, empty: undefined };
}

export function createAlerts({ site, vault, webhook, form, log, say, now }: AlertSettings) {
  const underWay = new Set<Promise<unknown>>();
  const saidHere = new Map<AlertKind, string>();

  async function isOurs({ kind, once }: Alert) {
    if (once === undefined) return true;
    if (saidHere.get(kind) === once) return false;
    saidHere.set(kind, once);
    try {
      return await changeNote(vault, alertNote(kind), (before) =>
        before?.once === once ? undefined : { once, at: now().toISOString() },
      );
    } catch (error) {
      if (error instanceof StoreFailure) return true;
      throw error;
    }
  }

  /** Reverts the note after an alert that could not be delivered, so that the next one is sent. */
  async function takeBack({ kind, once }: Alert) {
    if (once === undefined) return;
    saidHere.delete(kind);
    await vault.remove([siteLayout.alert(kind)]).catch(() => undefined);
  }

  async function deliver(alert: Alert, through: Webhook) {
    const at = now();
    if (!(await through.send((host) => bodyOf(alert, site, formFor(form, host), at)))) await takeBack(alert);
  }

  return {
    /** Raises an alert. It does not wait for the webhook, because a call may wait for the alert. */
    alert: async (alert: Alert) => {
      if (!(await isOurs(alert))) return;
      const needsPerson = alertKinds[alert.kind].runbook !== undefined;
      log[needsPerson ? "error" : "info"]({ alert: alert.kind }, alert.text);
      say?.(alert.text);
      if (webhook === undefined) return;
      const sending = deliver(alert, webhook).finally(() => underWay.delete(sending));
      underWay.add(sending);
    },
    /** Resolves when every message has arrived or was given up. */
    settled: async () => {
      await Promise.allSettled(underWay);
    },
  };
}

export function bodyOf(
  { kind, text }: Alert,
  site: AlertSettings["site"],
  form: AlertForm,
  at: Date,
): object {
  switch (form) {
    case "json":
      return { kind, site: site.id, text, at: at.toISOString() };
    case "slack":
      return { text: `*${forSlack(site.name)}* (${kind}): ${forSlack(text)}` };
  }
}

/** Escapes the three characters that Slack reads, so that nobody is mentioned and nothing becomes a link. */
function forSlack(text: string) {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** The form of a webhook: Slack's own addresses are known by their host. */
export function formFor(given: AlertForm | undefined, host: string): AlertForm {
  return given ?? (host === "hooks.slack.com" ? "slack" : "json");
}
