// `npm run messages`: writes every English text of the program into .almanac/messages.txt, with its kind, file and line, for
// proofreading. The kind is the call or constructor that gets the text; "other" texts are assembled in steps.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseSync } from "vite";
import { z } from "zod";

const root = fileURLToPath(new URL("../../", import.meta.url));
const file = ".almanac/messages.txt";

/** Folders and files whose texts are data, or are shown by another program. */
const aside = [
  "bench/",
  "docs/",
  "examples/",
  "packages/",
  "test/",
  "site/labels/",
  "packages/client/almanac-reading.min.js",
];
const isData =
  /common-words|sandbox\/(?:decks|prose|horoscopes)|open-api-examples|script-typography|-style\.[jt]s$/;

const kinds = ["help", "error", "log", "alert", "print", "schema", "other"] as const;
type Kind = (typeof kinds)[number];

/** Kinds by the name of the function that gets the text. */
const callees: readonly (readonly [RegExp, Kind])[] = [
  [
    /^(?:option|requiredOption|description|argument|addHelpText|helpOption|version|newCommand\w*|about)$/,
    "help",
  ],
  [
    /^(?:super|new \w*(?:Error|Usage|SetUp|Taken|Wrong\w*|No[A-Z]\w*|Fault|Failure|Refused)|fail\w*|reject)$/,
    "error",
  ],
  [/^(?:info|warn|error|debug|trace|fatal)$/, "log"],
  [/^(?:alert\w*|raise\w*)$/, "alert"],
  [/^(?:print\w*|say\w*|sentence|log|write|firstLines|tableLines|counted)$/, "print"],
  [/^(?:refine|superRefine|check|describe|meta|regex|min|max)$/, "schema"],
];

interface Message {
  readonly kind: Kind;
  readonly text: string;
  readonly offset: number;
}

const literal = z.object({ type: z.literal("Literal"), value: z.string(), start: z.number() });
const template = z.object({
  type: z.literal("TemplateLiteral"),
  start: z.number(),
  quasis: z.array(z.object({ value: z.object({ cooked: z.string() }) })),
  expressions: z.array(z.object({ start: z.number(), end: z.number() })),
});
const name = z.object({ name: z.string() });
const callee = z.union([
  name.transform((one) => one.name),
  z.object({ property: name }).transform((one) => one.property.name),
  z.object({ type: z.literal("Super") }).transform(() => "super"),
]);

type Node = Readonly<Record<string, unknown>>;

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value;
}

/** Name of the function, constructor or property that gets the texts in this node. */
function receiver(node: Node): string | undefined {
  if (node["type"] === "CallExpression") return callee.safeParse(node["callee"]).data;
  if (node["type"] === "NewExpression") return `new ${callee.safeParse(node["callee"]).data ?? ""}`;
  if (node["type"] === "ThrowStatement") return "fail";
  if (node["type"] === "Property") return name.safeParse(node["key"]).data?.name;
  return undefined;
}

function messagesIn(path: string): Message[] {
  const source = readFileSync(root + path, "utf8");
  const { program } = parseSync(path, source);
  const found: Message[] = [];
  const visit = (value: unknown, kind: Kind): void => {
    if (Array.isArray(value)) for (const one of value) visit(one, kind);
    if (!isNode(value)) return;
    const { type } = value;
    if (type === "ImportDeclaration" || type === "TaggedTemplateExpression") return;
    const plain = type === "Literal" ? literal.safeParse(value).data : undefined;
    const filled = type === "TemplateLiteral" ? template.safeParse(value).data : undefined;
    if (plain !== undefined) found.push({ kind, text: plain.value, offset: plain.start });
    if (filled !== undefined) {
      const values = filled.expressions.map((one) => `{${source.slice(one.start, one.end)}}`);
      const text = filled.quasis.map((one, index) => one.value.cooked + (values[index] ?? "")).join("");
      found.push({ kind, text, offset: filled.start });
    }
    const by = receiver(value);
    const inner = callees.find(([pattern]) => by !== undefined && pattern.test(by))?.[1] ?? kind;
    for (const one of Object.values(value)) visit(one, inner);
  };
  visit(program, "other");
  return found;
}

/** Two words or more, no style sheet, markup or header. One word is a name or a value of the program. */
function isProse(text: string): boolean {
  const isOther = /^\s*[<.#@]|[;{]\s*[\w-]+:|charset=utf-8|\w=\{|^[\w-]+(?: [\w-]+)*\/\{/;
  return /\p{L}{2}[,.:;]? \p{L}|[\p{L}\p{N}}] \p{L}{2}|\p{L}{2}[,:;]? \{/u.test(text) && !isOther.test(text);
}

interface ProgramText {
  readonly file: string;
  readonly line: number;
  readonly kind: Kind;
  readonly text: string;
}

/** Every English text of the program, in the order of files and lines. */
export function programTexts(): ProgramText[] {
  const paths = execFileSync("git", ["ls-files", "-z", "*.ts", "*.js"], { cwd: root, encoding: "utf8" })
    .split("\0")
    .filter((path) => path !== "" && existsSync(root + path))
    .filter((path) => !aside.some((start) => path.startsWith(start)) && !isData.test(path));
  return paths.flatMap((path) => {
    const source = readFileSync(root + path, "utf8");
    return messagesIn(path)
      .filter(({ text }) => isProse(text))
      .map(({ kind, text, offset }) => ({
        file: path,
        line: source.slice(0, offset).split("\n").length,
        kind,
        text,
      }));
  });
}

if (import.meta.main) {
  const texts = programTexts();
  const lines = texts.map(
    ({ file: path, line, kind, text }) => `${path}:${line} [${kind}] ${text.replaceAll("\n", "⏎")}`,
  );
  mkdirSync(`${root}.almanac`, { recursive: true });
  writeFileSync(root + file, `${lines.join("\n")}\n`);
  const counts = Map.groupBy(texts, ({ kind }) => kind);
  console.log(kinds.map((kind) => `${kind}: ${counts.get(kind)?.length ?? 0}`).join(", "));
  console.log(`${lines.length} texts in ${file}`);
}
