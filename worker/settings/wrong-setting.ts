// Problems of environment variables, in words.

/** One problem: `ALMANAC_VAULT: expected ..., got ...`. */
export interface WrongSetting {
  readonly name: string;
  readonly problem: string;
  /** Suggested name for a misspelled one. */
  readonly meant?: string;
  /** Whether the problem is that neither the variable nor its `_FILE` variant is set. */
  readonly isUnset?: true;
}

export type GivenVariables = Readonly<Record<string, string | undefined>>;
