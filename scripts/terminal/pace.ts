// How fast a run goes and how long it still takes, in numbers and in words.

export type RunPace = ReturnType<typeof paceOf>;

/** The pace of the last half minute tells a night's end better than that of the whole night, and jumps less than a moment's. */
const lookBackSeconds = 30;

export function paceOf(done: number, remaining: number, seconds: number) {
  const rate = seconds > 0 && done > 0 ? done / seconds : 0;
  return {
    ratePerSecond: Math.round(rate * 100) / 100,
    /** Undefined while no readings come in. */
    secondsLeft: rate > 0 ? Math.ceil(remaining / rate) : undefined,
  };
}

/** A pace for repeated looks: it counts from the first look on, whatever had come in before. */
export function createPacing() {
  const looks: { readonly done: number; readonly seconds: number }[] = [];
  return (done: number, planned: number, seconds: number) => {
    looks.push({ done, seconds });
    while (looks.length > 2 && seconds - (looks[1]?.seconds ?? seconds) >= lookBackSeconds) looks.shift();
    const [first = { done, seconds }] = looks;
    return paceOf(done - first.done, planned - done, seconds - first.seconds);
  };
}

export function paceWords({ ratePerSecond, secondsLeft }: RunPace): string[] {
  const rate = `${ratePerSecond.toFixed(1)} a second`;
  return secondsLeft === undefined ? [rate] : [rate, `about ${durationWords(secondsLeft)} left`];
}

export function durationWords(seconds: number): string {
  if (seconds < 100) return `${Math.round(seconds)} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 100) return `${minutes} min`;
  const hours = `${Math.floor(minutes / 60)} h`;
  return minutes % 60 === 0 ? hours : `${hours} ${minutes % 60} min`;
}
