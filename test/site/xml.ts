// A strict XML parser for tests, which throws for malformed input. It accepts the syntax of feeds and sitemaps: one declaration,
// elements, attributes in double quotes, text, and the five entities. It refuses anything else, so nothing passes unchecked.

export interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: Element[];
  text: string;
}

const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n';
const name = "[A-Za-z_][\\w.-]*(?::[A-Za-z_][\\w.-]*)?";
const token = new RegExp(`<(/?)(${name})((?:\\s+${name}="[^"<]*")*)\\s*(/?)>|([^<]+)`, "y");
const attribute = new RegExp(`(${name})="([^"<]*)"`, "g");
const entities: Record<string, string> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&apos;": "'",
};

export function readXml(xml: string): Element {
  if (!xml.startsWith(declaration)) throw new Error(`no declaration: ${xml.slice(0, 60)}`);
  if (/[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/.test(xml) || !xml.isWellFormed())
    throw new Error("a character that XML forbids");
  const top: Element = { name: "", attributes: {}, children: [], text: "" };
  const open: Element[] = [top];
  token.lastIndex = declaration.length;
  while (token.lastIndex < xml.length) {
    const at = token.lastIndex;
    const found = token.exec(xml);
    const here = open.at(-1);
    if (found === null || here === undefined) throw new Error(`no XML: ${xml.slice(at, at + 60)}`);
    const [, close, tag = "", attributes = "", self, text] = found;
    if (text !== undefined) here.text += decoded(text);
    else if (close === "/") end(open, tag, attributes);
    else {
      const element = { name: tag, attributes: attributesOf(attributes), children: [], text: "" };
      here.children.push(element);
      if (self !== "/") open.push(element);
    }
  }
  const [root, ...others] = top.children;
  if (root === undefined || others.length > 0 || open.length > 1 || top.text.trim() !== "")
    throw new Error("not exactly one closed element");
  return root;
}

function end(open: Element[], tag: string, attributes: string): void {
  const last = open.pop();
  if (last?.name !== tag || attributes !== "") throw new Error(`</${tag}> closes <${last?.name}>`);
}

function attributesOf(text: string): Record<string, string> {
  const found: Record<string, string> = {};
  for (const [, key = "", value = ""] of text.matchAll(attribute)) {
    if (Object.hasOwn(found, key)) throw new Error(`${key} stands twice`);
    found[key] = decoded(value);
  }
  return found;
}

function decoded(text: string): string {
  if (text.includes("]]>")) throw new Error("]]> in text");
  return text.replaceAll(/&[^;&]*;?/g, (entity) => {
    const character = entities[entity];
    if (character === undefined) throw new Error(`${entity} is no entity`);
    return character;
  });
}

export function childOf(element: Element | undefined, wanted: string): Element | undefined {
  return element?.children.find((child) => child.name === wanted);
}
