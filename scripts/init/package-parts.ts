// A package.json that is there gets what it lacks of a project's, and keeps all that it has.
import { z } from "zod";
import packageJson from "../../package.json" with { type: "json" };
import { WrongUsage } from "../terminal/errors.ts";

const record = z.record(z.string(), z.unknown());
const named = z.looseObject({
  name: z.string().optional(),
  dependencies: z.record(z.string(), z.string()).optional(),
});

/** What a package.json has npm install as Almanac. Throws in a checkout, which is Almanac itself and no site. */
export function installedSpec(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const { name, dependencies } = read(text, named);
  if (name === packageJson.name) {
    throw new WrongUsage(
      "this folder is Almanac's own: name one for the site, such as `almanac init ../stars`",
    );
  }
  return dependencies?.[packageJson.name];
}

/** The text there where nothing is lacking. */
export function withParts(there: string, wanted: string): string {
  const own = read(there, record);
  const whole = added(own, read(wanted, record));
  return JSON.stringify(whole) === JSON.stringify(own) ? there : `${JSON.stringify(whole, null, 2)}\n`;
}

function added(own: Record<string, unknown>, wanted: Record<string, unknown>): Record<string, unknown> {
  const whole = { ...own };
  for (const [key, value] of Object.entries(wanted)) {
    const part = record.safeParse(own[key]);
    const wantedPart = record.safeParse(value);
    if (!Object.hasOwn(own, key)) whole[key] = value;
    else if (part.success && wantedPart.success) whole[key] = added(part.data, wantedPart.data);
  }
  return whole;
}

function read<T>(text: string, schema: z.ZodType<T>): T {
  try {
    return schema.parse(JSON.parse(text));
  } catch {
    throw new WrongUsage("package.json is there and can't be read: mend it, or take it away");
  }
}
