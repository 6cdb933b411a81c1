// Reads a worker's metrics as Prometheus would: every series by its name and labels.
export interface Series {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

export async function scrape(port: number): Promise<Series[]> {
  const response = await fetch(`http://127.0.0.1:${port}/metrics`);
  const body = await response.text();
  if (response.status !== 200) throw new Error(`/metrics answered ${response.status}: ${body}`);
  return body.split("\n").flatMap((line) => {
    const found = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line);
    if (found === null) return [];
    const [, name = "", labels = "", value = ""] = found;
    const pairs = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, key = "", text = ""]) => [
      key,
      text,
    ]);
    return [{ name, labels: Object.fromEntries(pairs), value: Number(value) }];
  });
}

/** Of all series of that name with these labels. */
export function sumOf(
  all: readonly Series[],
  name: string,
  labels: Readonly<Record<string, string>> = {},
): number {
  const wanted = Object.entries(labels);
  return all
    .filter((one) => one.name === name && wanted.every(([key, text]) => one.labels[key] === text))
    .reduce((sum, { value }) => sum + value, 0);
}
