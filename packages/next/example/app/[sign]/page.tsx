import type { Horoscopes, Sign } from "@almanac/client";
import { readFile } from "node:fs/promises";

const today: Horoscopes = JSON.parse(await readFile("data/almanac/v1/en/daily/latest.json", "utf8"));
export const dynamicParams = false;
export const generateStaticParams = () => Object.keys(today.readings).map((sign) => ({ sign }));

export default async function Page({ params }: { params: Promise<{ sign: Sign }> }) {
  const reading = today.readings[(await params).sign];
  if (reading === undefined) return null;
  const texts = reading.sections.personal.map((text) => <p key={text}>{text}</p>);
  return [<h1 key="h1">{`${reading.sign}, ${reading.period}`}</h1>, ...texts];
}
