// Takes the text of a slot or of a stylesheet apart into what is literal and what pressing fills in.
import { pageValues, type PageValue, type TextPiece } from "../../site/theme/theme.ts";
import type { ThemeFiles } from "./theme-files.ts";
import { lineAt, type ThemeMistakes } from "./theme-mistakes.ts";

interface Parts {
  readonly files: ThemeFiles;
  readonly mistakes: ThemeMistakes;
}

const filledIn = /\{\{\s*(.*?)\s*\}\}/g;

/** `{{name}}` is a value of the page, `{{asset logo.svg}}` the address of a file of the theme. */
export function slotPieces(text: string, file: string, mayHaveOurs: boolean, parts: Parts): TextPiece[] {
  return pieced(text, filledIn, (said, index) => {
    const line = lineAt(text, index);
    const [, asset] = /^asset\s+(\S+)$/.exec(said) ?? [];
    if (asset !== undefined) {
      const at = parts.files.published(asset, { file, line });
      return at && { file: at };
    }
    if (isPageValue(said) && (said !== "ours" || mayHaveOurs)) return { value: said };
    const known = pageValues.filter((one) => one !== "ours" || mayHaveOurs).join("}}, {{");
    parts.mistakes.note(
      file,
      line,
      `{{${said}}} is nothing that a slot knows: it knows {{${known}}} and {{asset <file>}}`,
    );
    return undefined;
  });
}

const named = /url\(\s*["']?((?!data:|#)[^"')]+?)["']?\s*\)/g;

/** `url(..)` names a file beside the stylesheet; `{{..}}` has no meaning there. */
export function stylePieces(text: string, file: string, parts: Parts): TextPiece[] {
  const folder = file.includes("/") ? file.slice(0, file.lastIndexOf("/") + 1) : "";
  const note = (index: number, problem: string) => parts.mistakes.note(file, lineAt(text, index), problem);
  const imported = text.search(/@import\b/i);
  if (imported >= 0) note(imported, "@import is not followed: name the file in `stylesheets` of theme.ts");
  const ended = text.search(/<\/style/i);
  if (ended >= 0) note(ended, '"</style" would end the page\'s own style there: take it out');
  return pieced(text, named, (address, index) => {
    if (/^(?:[a-z]+:)?\/\//i.test(address)) {
      note(index, `${address} is of another host: copy the file into the theme's folder and name it here`);
      return undefined;
    }
    const at = parts.files.published(folder + address, { file, line: lineAt(text, index) });
    return at && ["url(", { file: at }, ")"];
  });
}

function isPageValue(text: string): text is PageValue {
  return pageValues.some((value) => value === text);
}

type Made = TextPiece | readonly TextPiece[] | undefined;

function pieced(text: string, pattern: RegExp, make: (said: string, index: number) => Made): TextPiece[] {
  const pieces: TextPiece[] = [];
  let end = 0;
  for (const match of text.matchAll(pattern)) {
    pieces.push(text.slice(end, match.index), ...[make(match[1] ?? "", match.index) ?? ""].flat());
    end = match.index + match[0].length;
  }
  return [...pieces, text.slice(end)].filter((piece) => piece !== "");
}
