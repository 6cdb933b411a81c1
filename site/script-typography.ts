// The typography of each script: fonts that are already on the reader's device, the space between lines, and whether it has
// small capitals and letter-spacing at all (joined scripts fall apart when spaced).
import type { Script } from "../readings/languages.ts";

interface Setting {
  /** Serif fonts of the script first, then the fonts that each system is sure to have. */
  readonly face: string;
  readonly leading: number;
  /** The line height of large headings, in which marks above and below need room too. */
  readonly tight: number;
  /** The size of large headings to those of other scripts: where letters are wide and words long, one has to fit a phone. */
  readonly wide?: number;
  readonly capitals: boolean;
}

const latin = {
  face: '"Iowan Old Style","Palatino Linotype",Palatino,"Book Antiqua","URW Palladio L","Noto Serif",Georgia,serif',
  leading: 1.58,
  tight: 1.12,
  capitals: true,
} as const;
const slavic = { ...latin, face: '"Palatino Linotype","PT Serif",Georgia,"Noto Serif",serif', leading: 1.6 };

const settings: Readonly<Record<Script, Setting>> = {
  Latin: latin,
  Cyrillic: slavic,
  Greek: slavic,
  Devanagari: indic(
    '"Noto Serif Devanagari","Kohinoor Devanagari","ITF Devanagari","Nirmala UI",Mangal',
    1.78,
  ),
  Bengali: indic('"Noto Serif Bengali","Kohinoor Bangla","Bangla Sangam MN","Nirmala UI",Vrinda', 1.75),
  Gujarati: indic('"Noto Serif Gujarati","Kohinoor Gujarati","Gujarati Sangam MN","Nirmala UI",Shruti', 1.75),
  Tamil: { ...indic('"Noto Serif Tamil","Tamil Sangam MN","Nirmala UI",Latha', 1.8), wide: 0.76 },
  Telugu: indic('"Noto Serif Telugu","Kohinoor Telugu","Telugu Sangam MN","Nirmala UI",Gautami', 1.85),
  Kannada: indic('"Noto Serif Kannada","Kannada Sangam MN","Nirmala UI",Tunga', 1.85),
  Malayalam: {
    ...indic('"Noto Serif Malayalam","Malayalam Sangam MN","Nirmala UI",Kartika', 1.85),
    wide: 0.85,
  },
  Arabic: indic('"Noto Naskh Arabic","Geeza Pro","Sakkal Majalla","Traditional Arabic"', 1.9),
  Han: indic('"Noto Serif CJK SC","Source Han Serif SC","Songti SC",STSong,"Microsoft YaHei"', 1.85),
  Japanese: indic('"Noto Serif CJK JP","Hiragino Mincho ProN","Yu Mincho",YuMincho', 1.85),
};

function indic(face: string, leading: number): Setting {
  return { face: `${face},"Noto Serif",serif`, leading, tight: 1.4, capitals: false };
}

/** What stands between the items of a list that is no sentence. */
const commas: Readonly<Partial<Record<Script, string>>> = { Arabic: "، ", Han: "、", Japanese: "、" };

export function commaOf(script: Script): string {
  return commas[script] ?? ", ";
}

export function settingOf(script: Script): Setting {
  return settings[script];
}

export function scriptStyle(script: Script): string {
  const { face, leading, tight, wide = 1, capitals } = settingOf(script);
  const caps = capitals ? "--caps:all-small-caps;--spacing:.07em" : "--caps:normal;--spacing:0";
  return `:root{--face:${face};--leading:${leading};--tight:${tight};--wide:${wide};${caps}}`;
}
