// The log as the code writes to it: each line has its facts first, so that it can be searched by them.
export interface Log {
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
  error(facts: object, message: string): void;
}
