// An answer as received from the service, not yet judged. service/service.ts creates it. Next step: readings/envelope.ts.

export interface ServiceAnswer {
  /** URL of the operation; it never contains credentials. */
  readonly address: string;
  readonly status: number;
  /** The header as sent: seconds or a date. */
  readonly retryAfter: string | undefined;
  /** Body as received, except that credentials echoed by the service are replaced with `[secret]`. */
  readonly body: Uint8Array;
  /** True if the body repeats one of our credentials, in any spelling, so that none of its text may be shown. */
  readonly spellsOutCredential?: boolean;
  readonly receivedAt: Date;
  readonly elapsedMs: number;
}
