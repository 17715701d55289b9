import type { App } from '../../app.ts';
import { startLoop, type Loop } from '../../platform/loop.ts';
import { readAuditedAccounts, readChained, readChains, removeUpTo } from './chain.sql.ts';
import { sealOf } from './chain.ts';

const IDLE_MS = 10 * 60_000;
const DAY_MS = 24 * 3_600_000;
const BATCH_MAX = 500;

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

/** Removes one batch of each merchant account with old entries. Returns true when more remain. */
export async function retainAuditOnce(app: App, days: number, signal?: AbortSignal): Promise<boolean> {
  const before = new Date(app.clock.now().getTime() - days * DAY_MS);
  let more = false;
  for (const chain of await readChains(app.db, await readAuditedAccounts(app.db))) {
    if (signal?.aborted) return false;
    const oldest = await readChained(app.db, chain.merchantAccountId, chain.floorSequence, BATCH_MAX);
    const young = oldest.findIndex(({ createdAt }) => createdAt >= before);
    const last = oldest.at(young === -1 ? oldest.length - 1 : young - 1);
    if (young === 0 || last?.sequence == null || last.hash === null) continue;
    const cut = { ...chain, floorSequence: last.sequence, floorHash: last.hash };
    const removed = await removeUpTo(app.db, { ...cut, seal: await sealOf(app, cut) }, chain.seal);
    more ||= removed && young === -1 && oldest.length === BATCH_MAX;
  }
  return more;
}
