// An answer as it came from the service, not yet judged: service/service.ts makes it, readings/envelope.ts has it next.

export interface ServiceAnswer {
  /** Where the request went: the operation's URL, which never holds credentials. */
  readonly address: string;
  readonly status: number;
  /** The header as sent: seconds or a date. */
  readonly retryAfter: string | undefined;
  /** As received; only where the service echoed our credentials does `[secret]` stand in their place. */
  readonly body: Uint8Array;
  /** Whether the body repeats one of our credentials, in whatever spelling, so that no text of it may be shown. */
  readonly spellsOutCredential?: boolean;
  readonly receivedAt: Date;
  readonly elapsedMs: number;
}
