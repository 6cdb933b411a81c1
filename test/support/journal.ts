// Compares the journal with its effects: what is withdrawn, pinned and accepted has a record that says so, whatever a command dies of.
import type { Store } from "../../store/store.ts";
import { createVault } from "../../vault/vault.ts";
import { readWithheld } from "../../vault/withheld.ts";

/** The decisions that the journal and their effects tell differently. */
export async function disagreements(store: Store, siteId = "almanac"): Promise<string[]> {
  const vault = createVault(store, siteId);
  const withheld = await readWithheld(vault.own);
  const wrong: string[] = [];
  const newest = new Map<string, string>();
  const rollbacks = new Set<string>();
  const accepted = new Set<string>();
  for (const { name, decision, damage } of (await withheld.entries()).toReversed()) {
    if (damage !== undefined) wrong.push(`${name} is damaged`);
    if (decision?.kind === "withdraw" || decision?.kind === "restore")
      newest.set(decision.subject.key, decision.kind);
    if (decision?.kind === "rollback") rollbacks.add(decision.at);
    if (decision?.kind === "accept") accepted.add(decision.subject.key);
  }
  const { withdrawn, pins } = withheld.note;
  for (const { key } of withdrawn) {
    if (newest.get(key) !== "withdraw") wrong.push(`${key} is withdrawn, without a record`);
    newest.delete(key);
  }
  for (const [key, kind] of newest)
    if (kind === "withdraw") wrong.push(`${key} is only withdrawn in the journal`);
  for (const { at, language } of pins)
    if (!rollbacks.has(at)) wrong.push(`${language} is pinned since ${at}, without a record`);
  for (const key of await vault.held("")) {
    const response = await vault.response(key);
    if (response?.accepted !== undefined && !accepted.has(key))
      wrong.push(`${key} was accepted, without a record`);
  }
  return wrong;
}
