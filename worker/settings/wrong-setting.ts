// What is wrong with a variable of the environment, in words.

/** One problem: `ALMANAC_VAULT: expected ..., got ...`. */
export interface WrongSetting {
  readonly name: string;
  readonly problem: string;
  /** The name that was probably meant. */
  readonly meant?: string;
  /** Whether the variable, or the one that names its file, has to be set. */
  readonly isUnset?: true;
}

export type GivenVariables = Readonly<Record<string, string | undefined>>;
