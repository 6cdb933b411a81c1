// A peer's work for one call: POST it, check the response's shape, render a page, write two files. Each peer differs only in the
// way it schedules all calls.
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Agent, FormData, request } from "undici";
import { z } from "zod";

const text = z.string().min(1);
const percentages = {
  personal: z.number(),
  health: z.number(),
  profession: z.number(),
  emotions: z.number(),
  travel: z.number(),
  luck: z.number(),
};
const special = z.object({
  lucky_color_codes: z.array(z.string().regex(/^#[0-9A-F]{6}$/i)),
  horoscope_percentage: z.object(percentages),
});
const block = z.object({
  personal: text,
  health: text,
  profession: text,
  emotions: text,
  travel: text,
  luck: z.array(text).min(1),
});
const answer = z.object({
  success: z.literal(1),
  data: z.union([
    z.object({ sign: text, date: text, prediction: block, special }),
    z.object({ sign: text, week: text, weekly_horoscope: block, special }),
    z.object({ sign: text, month: text, monthly_horoscope: block, special }),
    z.object({ sign: text, year: text, yearly_horoscope: block, special }),
  ]),
});

/** Opens as many connections as calls in flight, and keeps them open. */
export function createWork({ origin, token, apiKey, concurrency, out, style }) {
  const dispatcher = new Agent({ connections: concurrency });
  return async ({ name, path, fields }) => {
    const form = new FormData();
    form.append("api_key", apiKey);
    for (const [field, value] of fields) form.append(field, value);
    const headers = { accept: "application/json", authorization: `Bearer ${token}` };
    const { statusCode, body } = await request(origin + path, {
      method: "POST",
      headers,
      body: form,
      dispatcher,
    });
    const received = await body.text();
    if (statusCode !== 200) throw new Error(`${name}: HTTP ${statusCode}`);
    const { data } = answer.parse(JSON.parse(received));
    const base = join(out, name);
    await mkdir(dirname(base), { recursive: true });
    await writeFile(`${base}.json`, JSON.stringify({ name, ...data }, null, 1));
    await writeFile(`${base}.html`, page(name, data, style));
  };
}

const letters = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
const escape = (value) => String(value).replaceAll(/[&<>"']/g, (letter) => letters[letter]);

/** Includes a style as long as our pages', so that the pages have about the same size. */
function page(name, data, style) {
  const {
    sign,
    special,
    prediction = data.weekly_horoscope ?? data.monthly_horoscope ?? data.yearly_horoscope,
  } = data;
  const period = data.date ?? data.week ?? data.month ?? data.year;
  const { luck, ...sections } = prediction;
  const paragraphs = (value) =>
    value
      .split("\r\n")
      .map((each) => `<p>${escape(each.trim())}</p>`)
      .join("");
  return `<!doctype html><html><head><meta charset="utf-8"><title>${escape(sign)}, ${escape(period)}</title><style>${style}</style></head>
<body><h1>${escape(sign)}</h1><p>${escape(period)}</p>
${Object.entries(sections)
  .map(
    ([title, value]) =>
      `<section><h2>${escape(title)}</h2>${paragraphs(value)}<meter max="100" value="${special.horoscope_percentage[title]}"></meter></section>`,
  )
  .join("\n")}
<ul>${luck.map((line) => `<li>${escape(line)}</li>`).join("")}</ul>
<ul>${special.lucky_color_codes.map((color) => `<li style="color:${escape(color)}">${escape(color)}</li>`).join("")}</ul>
<footer>${escape(name)}</footer></body></html>`;
}
