// The site's words by language. A new language is a file here and a line in readings/languages.ts.
import type { Language } from "../../readings/languages.ts";
import { ar } from "./ar.ts";
import { bn } from "./bn.ts";
import { de } from "./de.ts";
import { el } from "./el.ts";
import { en } from "./en.ts";
import { es } from "./es.ts";
import { fil } from "./fil.ts";
import { fr } from "./fr.ts";
import { gu } from "./gu.ts";
import { hi } from "./hi.ts";
import { hu } from "./hu.ts";
import { id } from "./id.ts";
import { it } from "./it.ts";
import { ja } from "./ja.ts";
import { kn } from "./kn.ts";
import { ml } from "./ml.ts";
import { mr } from "./mr.ts";
import { nl } from "./nl.ts";
import { pl } from "./pl.ts";
import { pt } from "./pt.ts";
import { ru } from "./ru.ts";
import { ta } from "./ta.ts";
import { te } from "./te.ts";
import { tr } from "./tr.ts";
import { uk } from "./uk.ts";
import { zh } from "./zh.ts";
import type { Labels } from "./shape.ts";

export { type Labels } from "./shape.ts";

export const labels: Readonly<Record<Language, Labels>> = {
  en,
  hi,
  zh,
  ja,
  ar,
  ru,
  pt,
  es,
  fr,
  de,
  it,
  nl,
  pl,
  tr,
  uk,
  hu,
  el,
  bn,
  mr,
  ta,
  te,
  ml,
  kn,
  fil,
  id,
  gu,
};
