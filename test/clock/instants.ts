// The instants at which `npm run test:dates` runs the tests: each has its own way to break a test that depends on the date.

/** Name -> instant. */
const instants = {
  "new-years-eve": "2026-12-31T23:50:00Z",
  friday: "2027-01-15T12:00:00Z",
  sunday: "2027-01-17T12:00:00Z",
  "first-of-month": "2027-02-01T00:00:20Z",
  evening: "2027-04-13T20:00:00Z",
  "clocks-forward": "2027-03-14T06:50:00Z",
  "clocks-back": "2027-11-07T05:50:00Z",
  "leap-day": "2028-02-29T12:00:00Z",
  "year-2038": "2038-01-19T03:10:00Z",
};
export type Instant = readonly [name: string, instant: string];

export const allInstants: readonly Instant[] = Object.entries(instants);

/** One instant per commit, so that commits cover all of them. */
export function instantOf(commit: string): Instant {
  const chosen = allInstants[Number.parseInt(commit.slice(0, 8), 16) % allInstants.length];
  if (chosen === undefined) throw new Error(`not a commit: ${commit}`);
  return chosen;
}
