// What the doing says of itself: facts first, so that a line can be searched by them.
export interface Log {
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
  error(facts: object, message: string): void;
}
