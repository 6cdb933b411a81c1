// Promises of all notes in the vault: concurrent changes lose nothing, and a damaged note is started again or reported.
import { expect, test } from "vitest";
import { z } from "zod";
import { openMemory } from "../support/memory.ts";
import { always, type Store } from "../../store/store.ts";
import { UnreadableFile } from "../../vault/files.ts";
import { changeNote, lookAt, type Note, readNote } from "../../vault/note.ts";

const schema = z.object({ names: z.array(z.string()) });
const note: Note<z.infer<typeof schema>> = {
  key: "site/example.json",
  schema,
  empty: { names: [] },
};
const needed = { ...note, isNeeded: true };

const add = (store: Store, name: string, to = note) =>
  changeNote(store, to, ({ names }) => (names.includes(name) ? undefined : { names: [...names, name] }));
const put = (store: Store, text: string) => store.write(note.key, Buffer.from(text), { type: "" }, always);

test("concurrent changes are all kept, and a change that was already made is made once", async () => {
  const store = openMemory();
  const names = Array.from({ length: 12 }, (_, index) => `name-${index}`);
  const changed = await Promise.all([...names, ...names].map((name) => add(store, name)));
  expect(changed.filter(Boolean)).toHaveLength(12);
  expect((await readNote(store, note)).names.toSorted()).toEqual(names.toSorted());
});

test("it is stored with the number of its shape", async () => {
  const store = openMemory();
  await add(store, "one");
  const { body = new Uint8Array() } = (await store.read(note.key)) ?? {};
  expect(JSON.parse(new TextDecoder().decode(body))).toEqual({ format: 1, names: ["one"] });
});

test.for(["{", '{"format":1,"names":7}', '{"format":2,"names":["new"]}', '{"names":["old"]}'])(
  "%s is begun again where it may be lost, and else named and left as it is",
  async (text) => {
    const store = openMemory();
    await put(store, text);
    await expect(readNote(store, needed)).rejects.toThrow(UnreadableFile);
    await expect(add(store, "one", needed)).rejects.toThrow(`${note.key} `);
    expect((await lookAt(store, needed)).damage).toBeInstanceOf(UnreadableFile);
    expect(new TextDecoder().decode((await store.read(note.key))?.body)).toBe(text);
    expect(await readNote(store, note)).toEqual(note.empty);
    expect(await add(store, "one")).toBe(true);
    expect(await readNote(store, needed)).toEqual({ names: ["one"] });
  },
);
