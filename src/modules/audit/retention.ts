import type { App } from '../../app.ts';
import { startLoop, type Loop } from '../../platform/loop.ts';
import { BLOCK_MAX, readBlock, type Chained } from './blocks.sql.ts';
import { readAuditedAccounts, readChains, removeUpTo, type Chain } from './chain.sql.ts';
import { sealOf } from './chain.ts';

const IDLE_MS = 10 * 60_000;
const DAY_MS = 24 * 3_600_000;

/**
 * Starts the loop that removes entries older than the configured days. Null when they are kept for ever. The place and
 * the hash of the last removed entry stay, for the verification of the rest.
 */
export function startAuditRetention(app: App): Loop | null {
  const { clock, log, config } = app;
  const days = config.PAYGRAPH_AUDIT_RETENTION_DAYS;
  if (days === null) return null;
  const run = (signal: AbortSignal): Promise<boolean> => retainAuditOnce(app, days, signal);
  return startLoop({ name: 'audit retention', idleMs: IDLE_MS, clock, log, run });
}

/**
 * Removes some blocks of old entries of each merchant account, with about 500 entries. A block with a young entry stays whole. Returns
 * true when more may remain.
 */
export async function retainAuditOnce(app: App, days: number, signal?: AbortSignal): Promise<boolean> {
  const before = new Date(app.clock.now().getTime() - days * DAY_MS);
  let more = false;
  for (const chain of await readChains(app.db, await readAuditedAccounts(app.db))) {
    if (signal?.aborted) return false;
    const old = await readOld(app, chain, before);
    const last = old.at(-1);
    if (!last) continue;
    const cut = { ...chain, floorSequence: last.sequence, floorHash: last.hash };
    const after = { ...cut, seal: await sealOf(app, cut) };
    const removed = await removeUpTo(app.db, after, {
      sealBefore: chain.seal,
      ids: old.map(({ id }) => id),
    });
    more ||= removed && old.length >= BLOCK_MAX;
  }
  return more;
}

/** Reads the first blocks of a chain whose entries are all old, until they have as many entries as a full block. */
async function readOld(app: App, chain: Chain, before: Date): Promise<readonly Chained[]> {
  const old: Chained[] = [];
  while (old.length < BLOCK_MAX) {
    const after = old.at(-1)?.sequence ?? chain.floorSequence;
    const block = await readBlock(app.db, chain.merchantAccountId, after);
    if (!block?.every(({ entry }) => entry !== null && entry.createdAt < before)) break;
    old.push(...block);
  }
  return old;
}
