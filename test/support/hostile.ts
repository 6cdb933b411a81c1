// Texts of up to 4 MiB, the most that a body may hold, made to keep a careless pattern busy for hours.

/** Maximum text in a body of 4 MiB with its other fields. */
export const mostBytes = 4 * 1024 * 1024 - 4096;

/** Units to repeat, with the text before and after. */
const units: Readonly<Record<string, readonly [unit: string, before?: string, after?: string]>> = {
  "blanks without an end": [" ", "x", "x"],
  "wide blanks": ["\u00A0", "1", "%x"],
  tabs: ["\t", "x", "x"],
  "line breaks": ["\r\n"],
  "blanks and line breaks": [" \r \n"],
  "one letter": ["a"],
  "one Devanagari letter": ["क"],
  "one ideograph": ["漢"],
  emoji: ["😀"],
  digits: ["٣"],
  "combining marks": ["\u0301", "a"],
  "zero-width spaces": ["\u200B"],
  controls: ["\u0001"],
  "opened tags": ["<a"],
  "angle brackets": ["<"],
  "entities without an end": ["&a"],
  "BBCode without an end": ["[b="],
  brackets: ["["],
  "placeholders without an end": ["[insert "],
  "names in brackets": ["[first user last "],
  braces: ["{a"],
  "a brace and a word": ["a", "{"],
  "printf without an end": ["%(a"],
  asterisks: ["*"],
  dots: ["."],
  dashes: ["-"],
  hashes: ["#"],
  backslashes: ["\\"],
  exceptions: ["Uncaught aError"],
  "capitals and errors": ["AaError"],
  quota: ["exceeded your "],
  errors: ["error "],
  apologies: ["sorry i "],
  colons: [":"],
  commas: [","],
  quotes: ['"'],
  "plus signs and digits": ["+1"],
  "names and stops": ["a."],
  "a name without an end, and a stop": ["a", "", ".c"],
  "at signs": ["a@"],
  "schemes without an end": ["a:/"],
  "stops in brackets": ["a[."],
  "wide brackets": ["＜a"],
  "wide stops": ["ａ．"],
  "two scripts": ["aа"],
  "equals signs": ["="],
  "an equals sign and bars": ["|", "="],
  dollars: ["$a"],
  joiners: ["\u200D", "a"],
  "a letter and a joiner": ["a\u200D"],
  "letters of mathematics": ["\u{1D400}"],
};

/** The texts, each as long as fits into so many bytes of JSON. */
export function hostileTexts(bytes = mostBytes): [name: string, text: string][] {
  return Object.entries(units).map(([name, [unit, before = "", after = ""]]) => {
    const room = bytes - Buffer.byteLength(JSON.stringify(before + after));
    const times = Math.floor(room / (Buffer.byteLength(JSON.stringify(unit)) - 2));
    return [name, before + unit.repeat(times) + after];
  });
}

/** Runs and returns the result; throws if it used more processor time, however busy the machine. */
export function within<Result>(mostMs: number, run: () => Result): Result {
  const before = process.cpuUsage();
  const result = run();
  const { user, system } = process.cpuUsage(before);
  const tookMs = Math.round((user + system) / 1000);
  if (tookMs > mostMs) throw new Error(`took ${tookMs} ms of the processor, more than ${mostMs} ms`);
  return result;
}
