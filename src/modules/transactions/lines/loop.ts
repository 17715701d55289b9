import type { App } from '../../../app.ts';
import { startLoop, type Loop } from '../../../platform/loop.ts';
import { claimLines, releaseLine, type SettlementLine } from '../../settlements/index.ts';
import { tellLine } from './tell-line.ts';

/** The most entries of one round. */
const AT_ONCE = 50;

/** The pause between two rounds of an idle loop. */
const IDLE_MS = 5_000;

/** The lease of a claimed entry. After a crash, another process claims the entry at its end. */
const LEASE_MS = 60_000;

/**
 * Starts the loop that tells payments about the entries of settlements that fit no booking of theirs. Any number of processes
 * may run the loop.
 */
export const startLineTeller = (app: App): Loop =>
  startLoop({
    ...{ name: 'settlement lines', idleMs: IDLE_MS, clock: app.clock, log: app.log },
    run: () => tellDueLines(app),
  });

/** Tells the payments of the due entries, in their order. True when more may be due. */
export async function tellDueLines(app: App): Promise<boolean> {
  const now = app.clock.now();
  const leaseUntil = new Date(now.getTime() + LEASE_MS);
  const due = await claimLines(app.db, { now, leaseUntil, limit: AT_ONCE });
  for (const line of due) await tellOne(app, line);
  return due.length === AT_ONCE;
}

/** Tells one entry. An entry that throws is logged, and told again after its lease. */
async function tellOne(app: App, line: SettlementLine): Promise<void> {
  try {
    await releaseLine(app.db, line, await tellLine(app, line));
  } catch (error) {
    const { merchantAccountId, id: settlementId } = line;
    app.log.error({ merchantAccountId, settlementId, err: error }, 'A payment was not told of a settlement.');
  }
}
