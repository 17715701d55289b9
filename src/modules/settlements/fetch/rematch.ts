import type { App } from '../../../app.ts';
import type { Tx } from '../../../platform/database/db.ts';
import { recordSettlementEvent } from '../event.ts';
import { match, nextMatchAt, tellAtOf } from '../match/match.ts';
import type { Match, Settlement } from '../settlement.ts';
import { changeSettlement } from '../store.ts';
import { findDueService, readDue } from './rematch.sql.ts';
import { lockSource } from './source.sql.ts';

/** The most differences in one database transaction. */
const AT_ONCE = 100;

/**
 * Matches the due differences of one payment service again. A difference whose operation was decided late ends so. Calls no
 * provider, and commits once. True when more may be due.
 */
export async function rematchDue(app: App): Promise<boolean> {
  const now = app.clock.now();
  const service = await findDueService(app.db, now);
  if (!service) return false;
  await app.db.transaction(async (tx) => {
    if (!(await lockSource(tx, service))) throw new Error('The source of a settlement is gone');
    const due = await readDue(tx, service, { now, limit: AT_ONCE });
    const matches = await match(tx, service, due);
    for (const [index, settlement] of due.entries()) {
      const found = matches[index];
      if (found) await write(app, tx, { settlement, match: found, now });
    }
  });
  app.wakeRelay();
  return true;
}

type Rematched = { readonly settlement: Settlement; readonly match: Match; readonly now: Date };

async function write(app: App, tx: Tx, { settlement, match: found, now }: Rematched): Promise<void> {
  const rematchAt = nextMatchAt(now, found, settlement.createdAt);
  if (found.difference === settlement.difference) {
    await changeSettlement(tx, settlement, { rematchAt });
    return;
  }
  const changed = await changeSettlement(tx, settlement, {
    ...{ ...found, rematchAt, updatedAt: now },
    // Also the end of a difference is told: the payment may list the entry.
    tellAt: tellAtOf(now, settlement, found),
  });
  const event = found.difference === null ? 'difference-resolved' : 'difference-found';
  await recordSettlementEvent(app, tx, event, changed);
}
