// The alerts of workers, one row for each kind. `npm run reference` generates the tables of docs/monitoring.md and
// docs/troubleshooting.md from the rows, and test/deploy/rules.test.ts reports each rule and runbook that does not exist.

interface AlertRow {
  /** The condition that raises the alert. */
  readonly when: string;
  /** When the alert is repeated. */
  readonly again: string;
  /** The page in docs/ and its heading with the steps to take; undefined if no action is needed. */
  readonly runbook: string | undefined;
  /** The rule in deploy/monitoring/rules.yaml that fires if the trouble lasts; undefined if no metric shows the trouble. */
  readonly rule: string | undefined;
}

export const alertKinds = {
  "credentials-refused": {
    when: "the service refuses the credentials",
    again: "when the service refuses them again",
    runbook: "troubleshooting.md#credentials-refused",
    rule: "AlmanacCredentialsRefused",
  },
  "credentials-accepted": {
    when: "the service accepts the credentials again",
    again: "no: one per `credentials-refused`",
    runbook: undefined,
    rule: undefined,
  },
  "service-unavailable": {
    when: "an endpoint, or some of its operations or languages, has not responded for 15 minutes",
    again: "when responses stop again",
    runbook: "troubleshooting.md#reading-service-unavailable",
    rule: "AlmanacServiceErrors",
  },
  "service-recovered": {
    when: "the endpoint responds again",
    again: "no: one per `service-unavailable`",
    runbook: undefined,
    rule: undefined,
  },
  "calls-without-owner": {
    when: "batches have waited for a minute because no process owns their endpoint",
    again: "once per UTC day and endpoint",
    runbook: "troubleshooting.md#no-calls-are-made",
    rule: "AlmanacNoReadingsStored",
  },
  "credentials-unreadable": {
    when: "a credentials file cannot be read, so no requests can be sent",
    again: "hourly",
    runbook: "troubleshooting.md#rotate-or-revoke-the-api-key-or-token",
    rule: "AlmanacNoReadingsStored",
  },
  "language-stopped": {
    when: "one rule rejected nearly all responses in a language, a dozen or more; the run then sends one probe every half hour",
    again: "once per run and language",
    runbook: "troubleshooting.md#language-stopped",
    rule: "AlmanacNightWillBeLate",
  },
  "edition-incomplete": {
    when: "a run failed, or ended with readings quarantined or damaged, a language stopped before it was complete, or an operation rejected",
    again: "after each such run",
    runbook: "troubleshooting.md#page-shows-yesterdays-text",
    rule: "AlmanacEditionIncomplete",
  },
  "quarantine-grown": {
    when: "the quarantine has grown by twelve entries since the last alert",
    again: "after twelve more entries",
    runbook: "troubleshooting.md#page-shows-yesterdays-text",
    rule: "AlmanacEditionIncomplete",
  },
  "night-late": {
    when: "the next edition of a published language is 45 minutes late",
    again: "once per UTC day",
    runbook: "troubleshooting.md#nightly-run-did-not-start",
    rule: "AlmanacEditionLate",
  },
  "date-ahead": {
    when: "a language doesn't move to its next date, because a clock is ahead, or was ahead at the last publish",
    again: "once per UTC day",
    runbook: "troubleshooting.md#clock-is-wrong",
    rule: "AlmanacDateStuck",
  },
  "damage-found": {
    when: "stored responses or published files are damaged, or a run replaced damaged ones",
    again: "if other files are damaged",
    runbook: "troubleshooting.md#damaged-files-in-the-vault",
    rule: undefined,
  },
  "state-refused": {
    when: "the site's state is not the last one published from this vault, so nothing is published",
    again: "for each new state",
    runbook: "troubleshooting.md#site-is-damaged-or-was-changed-by-someone-else",
    rule: "AlmanacEditionLate",
  },
  "template-fault": {
    when: "a template of the theme failed on a page, so nothing is published",
    again: "for each new fault",
    runbook: "theming.md#check-and-publish-the-theme",
    rule: "AlmanacEditionLate",
  },
  "store-unwritable": {
    when: "the vault or the site cannot be written, after the store's own retries",
    again: "hourly, separately for the vault and the site",
    runbook: "troubleshooting.md#storage-unavailable-or-full",
    rule: "AlmanacStorageErrors",
  },
  "cache-not-purged": {
    when: "a CDN or cache rejected the purge request, so readers may see old pages",
    again: "once per UTC day and cache",
    runbook: "hosting.md#purge-a-cdn",
    rule: undefined,
  },
  "hub-not-notified": {
    when: "the hub of the feeds (`site.hub`) did not accept the changed feeds",
    again: "once per UTC day",
    runbook: "hosting.md#purge-a-cdn",
    rule: undefined,
  },
  "search-not-notified": {
    when: "the IndexNow server did not accept the changed pages (`site.indexNow`)",
    again: "once per UTC day",
    runbook: "hosting.md#notify-search-engines",
    rule: undefined,
  },
  "webhook-not-notified": {
    when: "the server at `ALMANAC_PUBLISHED_URL` did not accept the changed paths",
    again: "once per UTC day",
    runbook: "monitoring.md#webhook-after-each-publish",
    rule: undefined,
  },
} as const satisfies Readonly<Record<string, AlertRow>>;

export type AlertKind = keyof typeof alertKinds;

/** A message to a person: the symptom, the impact and the command to run. */
export interface Alert {
  readonly kind: AlertKind;
  readonly text: string;
  /** Identifies the occasion: one alert is sent per kind and occasion, however often it is raised. */
  readonly once?: string;
}
