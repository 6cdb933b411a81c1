// Violations that axe finds on the page in a browser.
import axe from "axe-core";
import type { Page } from "playwright-core";
import { z } from "zod";

const found = z.object({
  violations: z.array(
    z.object({
      id: z.string(),
      nodes: z.array(z.object({ html: z.string(), failureSummary: z.string().optional() })),
    }),
  ),
});

/** Includes target sizes, which axe checks only on request. */
const options = `{ resultTypes: ["violations"], rules: { "target-size": { enabled: true } } }`;

/** Restricted to one element, if the rest of the page is not ours. */
export async function violationsOn(page: Page, within?: string): Promise<string[]> {
  await page.evaluate(axe.source);
  const where = within === undefined ? "document" : JSON.stringify(within);
  const { violations } = found.parse(await page.evaluate(`axe.run(${where}, ${options})`));
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
  );
}

/** Axe is a script: a page that runs none is looked at as a copy, in a page that would. */
export async function copyWithoutScripts(page: Page): Promise<Page> {
  const content = await page.content();
  const copy = await page.context().browser()?.newPage();
  if (copy === undefined) throw new Error("the page's browser is closed");
  await copy.setContent(content.replaceAll(/<script>.*?<\/script>/gs, ""));
  return copy;
}
