import type { App } from '../../app.ts';
import { readBlock } from './blocks.sql.ts';
import { countUnchained, NO_CHAIN, readChains, type Chain } from './chain.sql.ts';
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
 *
 * `expected` is a head from an earlier verification, which the chain must still have.
 */
export async function verifyAudit(
  app: App,
  merchantAccountId: string,
  expected: Head | null = null,
): Promise<Verified> {
  const [stored] = await readChains(app.db, [merchantAccountId]);
  const chain = stored ?? { ...NO_CHAIN, merchantAccountId };
  const faults: string[] = [];
  const report = (fault: string): void => void (faults.length < FAULTS_MAX && faults.push(fault));
  if (stored && (await sealOf(app, stored)) !== stored.seal)
    report('The record of the chain was changed: its seal does not fit.');
  const { entries, last } = await walk(app, chain, expected, report);
  if (last.sequence < chain.sequence) report(removed(last.sequence + 1n, chain.sequence));
  else if (last.sequence > chain.sequence)
    report(`The record of the chain ends at ${chain.sequence}, before its entries.`);
  else if (last.hash !== chain.hash) report('The record of the chain has another hash than its last entry.');
  if (expected && expected.sequence > last.sequence)
    report(`The expected entry ${expected.sequence} does not exist. The chain ends at ${last.sequence}.`);
  const waiting = await countUnchained(
    app.db,
    merchantAccountId,
    new Date(app.clock.now().getTime() - UNCHAINED_MAX_MS),
  );
  if (waiting > 0) report(`${waiting} entries are older than a minute and not chained. Is a worker running?`);
  return { merchantAccountId, entries, head: last, faults };
}

async function walk(
  app: App,
  { merchantAccountId, floorSequence, floorHash }: Chain,
  expected: Head | null,
  report: (fault: string) => void,
): Promise<{ readonly entries: number; readonly last: Head }> {
  let last: Head = { sequence: floorSequence, hash: floorHash };
  let present = last.sequence;
  let entries = 0;
  for (;;) {
    const block = await readBlock(app.db, merchantAccountId, last.sequence);
    if (!block) break;
    for (const { sequence, hash, id, entry } of block) {
      const before = last;
      last = { sequence, hash };
      if (!entry) continue;
      if (sequence !== present + 1n) report(removed(present + 1n, sequence - 1n));
      present = sequence;
      if (before.sequence !== sequence - 1n) continue;
      if ((await hashOf(app, entry, { sequence, hashBefore: before.hash })) === hash) entries += 1;
      else report(`The entry ${sequence} (${id}) was changed.`);
      if (expected?.sequence === sequence && expected.hash !== hash)
        report(`The entry ${sequence} has another hash than expected.`);
    }
  }
  if (present < last.sequence) report(removed(present + 1n, last.sequence));
  return { entries, last };
}

const removed = (from: bigint, to: bigint): string => `The entries ${from} to ${to} were removed.`;
