// The body of a call, read with a limit, as the fields of a multipart form.
import type { IncomingMessage } from "node:http";

const limitBytes = 64 * 1024;

export interface Form {
  readonly fields: ReadonlyMap<string, string>;
  /** Names that occurred more than once. */
  readonly repeated: readonly string[];
  /** Names sent as files. */
  readonly files: readonly string[];
}

/** A form, or a sentence about its error. Rejects only if the client disconnects. */
export async function readForm(incoming: IncomingMessage): Promise<Form | string> {
  const body = await readBody(incoming);
  const type = incoming.headers["content-type"];
  if (type === undefined) return "the request has no Content-Type; send multipart/form-data";
  if (!/^multipart\/form-data\s*;/i.test(type))
    return `Content-Type is ${quote(type)}; send multipart/form-data`;
  if (body === undefined) return `the body is larger than ${limitBytes} bytes`;
  try {
    return formOf(await new Response(body, { headers: { "content-type": type } }).formData());
  } catch {
    return "the body is not a multipart form, although its Content-Type is";
  }
}

function formOf(data: FormData): Form {
  const fields = new Map<string, string>();
  const repeated: string[] = [];
  const files: string[] = [];
  for (const [name, value] of data) {
    if (fields.has(name)) repeated.push(name);
    if (typeof value === "string") fields.set(name, value);
    else files.push(name);
  }
  return { fields, repeated, files };
}

/** Undefined if the body is too large; the rest is then read and dropped, so the client still gets the response. */
async function readBody(incoming: IncomingMessage): Promise<Buffer<ArrayBuffer> | undefined> {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  for await (const chunk of incoming.iterator({ destroyOnReturn: false })) {
    if (!Buffer.isBuffer(chunk)) continue;
    sizeBytes += chunk.length;
    if (sizeBytes > limitBytes) {
      incoming.resume();
      return undefined;
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Quotes a foreign value for a message: shortened, and escaped. */
export function quote(value: string): string {
  return JSON.stringify(value.length > 60 ? `${value.slice(0, 59)}…` : value);
}
