import type { App } from '../../../app.ts';
import { readBlocks, type Reads } from './blocks.sql.ts';
import { countEntries, NO_CHAIN, readAtOneMoment, readChains, type Chain } from './chain.sql.ts';
import { hashOf, sealOf } from './chain.ts';

/** The result of a verification. */
export type Verified = {
  readonly merchantAccountId: string;
  /** The number of entries with the right hash. */
  readonly entries: number;
  /** The last place of the chain and its hash, to keep elsewhere. */
  readonly head: Head;
  /** Sentences about each fault. Empty: no entry was changed or removed. */
  readonly faults: readonly string[];
};

/** A place in a chain with its hash. */
export type Head = { readonly sequence: bigint; readonly hash: string };

/** An entry is chained within seconds. */
const UNCHAINED_MAX_MS = 60_000;

/** The faults that a report names one by one. */
const FAULTS_MAX = 20;

/**
 * Verifies the chain of a merchant account from its oldest kept entry to its head:
 *
 * - No place is missing.
 * - Each hash fits its entry.
 * - The ends fit their seal.
 * - Each entry that is older than a minute has a place.
 *
 * `expected` is a head from an earlier verification, which the chain must still have. All reads see one moment.
 */
export async function verifyAudit(
  app: App,
  merchantAccountId: string,
  expected: Head | null = null,
): Promise<Verified> {
  return await readAtOneMoment(app.db, (db) => verifyIn(db, app, merchantAccountId, expected));
}

async function verifyIn(
  db: Reads,
  app: App,
  merchantAccountId: string,
  expected: Head | null,
): Promise<Verified> {
  const [stored] = await readChains(db, [merchantAccountId]);
  const chain = stored ?? { ...NO_CHAIN, merchantAccountId };
  const faults: string[] = [];
  const report = (fault: string): void => void (faults.length < FAULTS_MAX && faults.push(fault));
  if (stored && (await sealOf(app, stored)) !== stored.seal)
    report('The record of the chain was changed: its seal does not fit.');
  const before = new Date(app.clock.now().getTime() - UNCHAINED_MAX_MS);
  const { entries, old, last } = await walk({ db, app }, chain, { expected, before }, report);
  if (last.sequence < chain.sequence) report(removed(last.sequence + 1n, chain.sequence));
  else if (last.sequence > chain.sequence)
    report(`The record of the chain ends at ${chain.sequence}, before its entries.`);
  else if (last.hash !== chain.hash) report('The record of the chain has another hash than its last entry.');
  if (expected && expected.sequence > last.sequence)
    report(`The expected entry ${expected.sequence} does not exist. The chain ends at ${last.sequence}.`);
  const waiting = (await countEntries(db, merchantAccountId, before)) - old;
  if (waiting > 0) report(`${waiting} entries are older than a minute and not chained. Is a worker running?`);
  return { merchantAccountId, entries, head: last, faults };
}

type Walk = {
  /** The number of entries with the right hash, and of entries from before a moment. */
  readonly entries: number;
  readonly old: number;
  readonly last: Head;
};

async function walk(
  { db, app }: { readonly db: Reads; readonly app: App },
  { merchantAccountId, floorSequence, floorHash }: Chain,
  { expected, before }: { readonly expected: Head | null; readonly before: Date },
  report: (fault: string) => void,
): Promise<Walk> {
  let last: Head = { sequence: floorSequence, hash: floorHash };
  let present = last.sequence;
  let [entries, old] = [0, 0];
  for (;;) {
    const blocks = await readBlocks(db, merchantAccountId, last.sequence);
    if (blocks.length === 0) break;
    for (const { sequence, hash, id, entry } of blocks.flat()) {
      const { sequence: sequenceBefore, hash: hashBefore } = last;
      last = { sequence, hash };
      if (expected?.sequence === sequence && expected.hash !== hash)
        report(`The entry ${sequence} has another hash than expected.`);
      if (!entry) continue;
      if (entry.createdAt < before) old += 1;
      if (sequence !== present + 1n) report(removed(present + 1n, sequence - 1n));
      present = sequence;
      // Without the block before, nobody knows the hash before.
      if (sequence !== sequenceBefore + 1n) continue;
      if ((await hashOf(app, entry, { sequence, hashBefore })) === hash) entries += 1;
      else report(`The entry ${sequence} (${id}) was changed.`);
    }
  }
  if (present < last.sequence) report(removed(present + 1n, last.sequence));
  return { entries, old, last };
}

const removed = (from: bigint, to: bigint): string => `The entries ${from} to ${to} were removed.`;
