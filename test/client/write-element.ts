// Writes the element as it is published: npm run element. A test fails if it is out of date.
import { writeFileSync } from "node:fs";
import { builtElement, builtElementPath } from "./built-element.ts";

writeFileSync(builtElementPath, await builtElement());
