// Sun and moon of a date, near enough for a drawing: the sun to a degree, the moon to half a day.
import { dayNumber } from "../readings/periods.ts";

const radians = Math.PI / 180;

/** The sun's longitude at noon UTC in degrees from the first point of Aries; a sign has thirty. */
export function sunLongitude(date: string): number {
  const days = dayNumber(date) - 10_957; // since noon of 2000-01-01
  const anomaly = (357.528 + 0.985_600_3 * days) * radians;
  const longitude = 280.46 + 0.985_647_4 * days + 1.915 * Math.sin(anomaly) + 0.02 * Math.sin(2 * anomaly);
  return ((longitude % 360) + 360) % 360;
}

/** The moon's age at noon UTC as a part of its month: 0 new, 0.5 full. */
export function moonAge(date: string): number {
  const newMoon = 10_962.26; // 2000-01-06 18:14 UTC, as a day number from noon
  const months = (dayNumber(date) - newMoon) / 29.530_588_853;
  return months - Math.floor(months);
}

/** The lit part of the moon as a path around 0,0. */
export function moonPath(date: string, radius: number): string {
  const age = moonAge(date);
  const waxing = age < 0.5;
  const gibbous = age > 0.25 && age < 0.75;
  const width = (Math.abs(Math.cos(2 * Math.PI * age)) * radius).toFixed(1);
  const limb = `A${radius} ${radius} 0 0 ${waxing ? 1 : 0} 0 ${radius}`;
  const terminator = `A${width} ${radius} 0 0 ${waxing === gibbous ? 1 : 0} 0 ${-radius}`;
  return `M0 ${-radius}${limb}${terminator}Z`;
}
