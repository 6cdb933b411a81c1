// Texts in the program's own sources: every string and template, with its surrounding expression.
import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseSync } from "vite";
import { z } from "zod";

const checkout = fileURLToPath(new URL("../../", import.meta.url));

export interface SourceText {
  readonly file: string;
  /** Literal text between the placeholders; one piece if there are none. */
  readonly pieces: readonly string[];
  /** The properties and constants that it is a value of, and `name.2` for a function's third argument; from the inside out. */
  readonly within: readonly string[];
}

const named = z.object({ name: z.string() });
const text = z.object({ type: z.literal("Literal"), value: z.string() });
const template = z.object({
  type: z.literal("TemplateLiteral"),
  quasis: z.array(z.object({ value: z.object({ cooked: z.string() }) })),
});
const property = z.object({ type: z.literal("Property"), key: named });
const constant = z.object({ type: z.literal("VariableDeclarator"), id: named });
const called = z.object({ property: named }).or(named);
const call = z.object({
  type: z.literal("CallExpression"),
  callee: called,
  arguments: z.array(z.unknown()),
});

/** Texts in all files of these folders. */
export function textsIn(rooms: readonly string[]): SourceText[] {
  const files = rooms.flatMap((room) => globSync(`${room}/**/*.ts`, { cwd: checkout }));
  return files.toSorted().flatMap((file) => {
    const { program } = parseSync(file, readFileSync(`${checkout}${file}`, "utf8"));
    const found: SourceText[] = [];
    collect(program, file, [], found);
    return found;
  });
}

function collect(value: unknown, file: string, within: readonly string[], found: SourceText[]): void {
  if (Array.isArray(value)) for (const one of value) collect(one, file, within, found);
  if (!isNode(value)) return;
  const pieces = piecesOf(value);
  if (pieces !== undefined) found.push({ file, pieces, within });
  const asCall = value["type"] === "CallExpression" ? call.safeParse(value).data : undefined;
  if (asCall !== undefined) {
    const { callee, arguments: given } = asCall;
    const name = nameOfCallee(callee);
    collect(value["callee"], file, within, found);
    return given.forEach((one, index) => collect(one, file, [`${name}.${String(index)}`, ...within], found));
  }
  const name = nameOf(value);
  const inside = name === undefined ? within : [name, ...within];
  for (const inner of Object.values(value)) collect(inner, file, inside, found);
}

function nameOfCallee(callee: z.infer<typeof called>): string {
  return "property" in callee ? callee.property.name : callee.name;
}

type Node = Readonly<Record<string, unknown>>;

/** Most nodes are of no interest, and a schema for each would take half a minute. */
function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value;
}

function piecesOf(value: Node): string[] | undefined {
  if (value["type"] === "Literal") {
    const plain = text.safeParse(value);
    return plain.success ? [plain.data.value] : undefined;
  }
  const filled = value["type"] === "TemplateLiteral" ? template.safeParse(value) : undefined;
  return filled?.data?.quasis.map((one) => one.value.cooked);
}

function nameOf(value: Node): string | undefined {
  if (value["type"] === "Property") return property.safeParse(value).data?.key.name;
  return value["type"] === "VariableDeclarator" ? constant.safeParse(value).data?.id.name : undefined;
}

/** The text as users see it, with `{}` for the placeholders. */
export function shownAs({ pieces }: SourceText): string {
  return pieces.join("{}").replaceAll(/\s+/g, " ").trim();
}

/** Whether a printed text can be this one, or contain it. */
export function isIn(printed: string, { pieces }: SourceText): boolean {
  const plain = printed.replaceAll(/\s+/g, " ");
  let from = 0;
  for (const piece of pieces.map((one) => one.replaceAll(/\s+/g, " "))) {
    const at = plain.indexOf(piece, from);
    if (at < 0) return false;
    from = at + piece.length;
  }
  return true;
}
