import type { App } from '../../../app.ts';
import { isAccountAway } from '../../../platform/database/db.ts';
import { startLoop, type Loop } from '../../../platform/loop.ts';
import { BLOCKS_READ, readBlocks, type Block } from './blocks.sql.ts';
import { readAuditedAccounts, readChains, removeUpTo } from './chain.sql.ts';
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
 * Removes the first blocks of old entries of each merchant account, at most 20. A block with a young entry stays whole. Returns true
 * when more may remain.
 */
export async function retainAuditOnce(app: App, days: number, signal?: AbortSignal): Promise<boolean> {
  const before = new Date(app.clock.now().getTime() - days * DAY_MS);
  let more = false;
  for (const chain of await readChains(app.db, await readAuditedAccounts(app.db))) {
    if (signal?.aborted) return false;
    const blocks = await readBlocks(app.db, chain.merchantAccountId, chain.floorSequence);
    const young = blocks.findIndex((block) => !isOld(block, before));
    const old = blocks.slice(0, young === -1 ? blocks.length : young).flat();
    const last = old.at(-1);
    if (!last) continue;
    const cut = { ...chain, floorSequence: last.sequence, floorHash: last.hash };
    const after = { ...cut, seal: await sealOf(app, cut) };
    const removed = await removeUpTo(app.db, after, {
      sealBefore: chain.seal,
      ids: old.map(({ id }) => id),
    }).catch((error: unknown) => {
      // The account moves to another cell, which removes the entries.
      if (isAccountAway(error)) return false;
      throw error;
    });
    more ||= removed && young === -1 && blocks.length === BLOCKS_READ;
  }
  return more;
}

/** An entry that somebody has removed holds nothing back. */
const isOld = (block: Block, before: Date): boolean =>
  block.every(({ entry }) => entry === null || entry.createdAt < before);
