import type { App } from '../../../app.ts';
import type { SettlementPage } from '../../../connectors/settlements.ts';
import type { Tx } from '../../../platform/db.ts';
import { recordPayoutEvent, recordSettlementEvent } from '../event.ts';
import { match, nextMatchAt } from '../match/match.ts';
import type { Match, Settlement, SettlementEntry } from '../settlement.ts';
import { insertSettlements, namePayout, readKnown, sameEntry } from '../store.ts';
import { afterPage, type SettlementSource } from './source.ts';
import { changeSource, lockSource } from './source.sql.ts';

/**
 * Stores a fetched page. Commits once: the entries, their matches, the events and the cursor. An entry that is stored already
 * changes nothing, except that it may name its payout at last. Another process may have passed the place of the page. The page
 * is then dropped as a whole, and the result is false.
 */
export async function recordPage(app: App, source: SettlementSource, page: SettlementPage): Promise<boolean> {
  return app.db.transaction(async (tx) => {
    const current = await lockSource(tx, source);
    if (!current || current.cursor !== source.cursor) return false;
    const now = app.clock.now();
    const fresh = await freshOf(app, tx, source, page.entries);
    const matches = await match(tx, source, fresh);
    const settlements = fresh.flatMap((entry, index) => {
      const found = matches[index];
      return found ? [settlementOf(app, source, { entry, match: found, now })] : [];
    });
    await insertSettlements(tx, settlements);
    const isFresh = new Set(fresh);
    await namePayouts(
      tx,
      source,
      page.entries.filter((entry) => !isFresh.has(entry)),
    );
    for (const settlement of settlements) {
      if (settlement.kind === 'payout') await recordPayoutEvent(app, tx, settlement);
      if (settlement.difference !== null)
        await recordSettlementEvent(app, tx, 'difference-found', settlement);
    }
    await changeSource(tx, source, afterPage(now, page));
    return true;
  });
}

/** Names the payouts of repeated entries that had none. A provider may pay an entry out days after the report. */
async function namePayouts(
  tx: Tx,
  source: SettlementSource,
  entries: readonly SettlementEntry[],
): Promise<void> {
  const byPayout = Map.groupBy(entries, ({ payoutReference }) => payoutReference);
  for (const [payoutReference, paid] of byPayout)
    if (payoutReference !== null)
      await namePayout(tx, source, {
        payoutReference,
        references: paid.map(({ reference }) => reference),
      });
}

/** Returns the entries that are not stored, each once. A changed repeat is logged: the first report stands. */
async function freshOf(
  app: App,
  tx: Tx,
  source: SettlementSource,
  entries: readonly SettlementEntry[],
): Promise<readonly SettlementEntry[]> {
  const stored = await readKnown(
    tx,
    source,
    entries.map(({ reference }) => reference),
  );
  const known = new Map<string, SettlementEntry>(stored.map((entry) => [entry.reference, entry]));
  return entries.filter((entry) => {
    const before = known.get(entry.reference);
    if (before === undefined) {
      known.set(entry.reference, entry);
      return true;
    }
    if (!sameEntry(before, entry)) {
      const { merchantAccountId, paymentServiceId } = source;
      const about = { merchantAccountId, paymentServiceId, reference: entry.reference };
      app.log.error(about, 'The provider repeated a settlement with other facts. The first report stands.');
    }
    return false;
  });
}

type New = { readonly entry: SettlementEntry; readonly match: Match; readonly now: Date };

const settlementOf = (
  app: App,
  { merchantAccountId, paymentServiceId }: SettlementSource,
  { entry, match: found, now }: New,
): Settlement => ({
  ...{ ...entry, ...found, merchantAccountId, paymentServiceId, id: app.ids.uuid() },
  ...{ explanation: null, explainedAt: null, rematchAt: nextMatchAt(now, found, now) },
  ...{ createdAt: now, updatedAt: now },
});
