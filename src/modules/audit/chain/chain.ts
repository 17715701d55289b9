import type { App } from '../../../app.ts';
import { startLoop, type Loop } from '../../../platform/loop.ts';
import { BLOCK_MAX } from './blocks.sql.ts';
import { readUnchained, writeLinks, type Chain, type Entry, type Linked } from './chain.sql.ts';

const IDLE_MS = 1_000;

/**
 * Starts the loop that chains committed entries, each to the one before in its merchant account. The commit of a change
 * writes its entry alone. A place in the entry would make the payments of an account wait for each other. Any number
 * of processes may run the loop.
 */
export const startAuditChain = (app: App): Loop =>
  startLoop({
    name: 'audit chain',
    idleMs: IDLE_MS,
    clock: app.clock,
    log: app.log,
    run: () => chainOnce(app),
  });

/**
 * Chains the oldest committed entries without a place, in some ten milliseconds. Commits once. When another process chains entries at the
 * same time, one of the two does it. Returns true when more may wait.
 */
export async function chainOnce(app: App): Promise<boolean> {
  const unchained = await readUnchained(app.db, BLOCK_MAX);
  if (!unchained) return false;
  const linked = await Promise.all(unchained.accounts.map(({ chain, entries }) => link(app, chain, entries)));
  await writeLinks(app.db, unchained, linked, BLOCK_MAX);
  return linked.reduce((sum, { ids }) => sum + ids.length, 0) === BLOCK_MAX;
}

async function link(app: App, before: Chain, entries: readonly Entry[]): Promise<Linked> {
  let { sequence, hash } = before;
  const hashes: string[] = [];
  for (const entry of entries) {
    sequence += 1n;
    hash = await hashOf(app, entry, { sequence, hashBefore: hash });
    hashes.push(hash);
  }
  const after = { ...before, sequence, hash };
  return {
    ...{ before, hashes, ids: entries.map(({ id }) => id) },
    after: { ...after, seal: await sealOf(app, after) },
  };
}

/**
 * Returns the hash of an entry: a keyed digest of its content, its place, and the hash before. The key is the
 * fingerprint key of the merchant account, which the master key protects. So nobody can make a hash with the database
 * alone.
 */
export function hashOf(
  { vault }: Pick<App, 'vault'>,
  entry: Entry,
  { sequence, hashBefore }: { readonly sequence: bigint; readonly hashBefore: string },
): Promise<string> {
  const { merchantAccountId, id, action, targetType, targetId } = entry;
  const { actorKind, actorId, actor, before, after, createdAt } = entry;
  const content = [
    ...['paygraph audit entry', merchantAccountId, String(sequence), id, action, targetType, targetId],
    ...[actorKind, actorId, actor, before, after, createdAt.toISOString(), hashBefore],
  ];
  return vault.fingerprint(merchantAccountId, JSON.stringify(content));
}

/** Returns the seal of a chain: a keyed digest of its two ends. */
export function sealOf(
  { vault }: Pick<App, 'vault'>,
  { merchantAccountId, sequence, hash, floorSequence, floorHash }: Omit<Chain, 'seal'>,
): Promise<string> {
  const ends = [String(sequence), hash, String(floorSequence), floorHash];
  return vault.fingerprint(
    merchantAccountId,
    JSON.stringify(['paygraph audit chain', merchantAccountId, ...ends]),
  );
}
