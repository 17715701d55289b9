import type { App } from '../../../app.ts';
import type { SettlementPage } from '../../../connectors/notices/settlements.ts';
import type { Tx } from '../../../platform/database/db.ts';
import { recordPayoutEvent, recordSettlementEvent } from '../event.ts';
import { match, nextMatchAt, tellAtOf } from '../match/match.ts';
import type { Match, Settlement, SettlementEntry } from '../settlement.ts';
import { insertSettlements, namePayout, readKnown, replaceUnreadable, sameEntry } from '../store.ts';
import { afterPage, type SettlementSource } from './source.ts';
import { changeSource, lockSource } from './source.sql.ts';

/**
 * Stores a fetched page. Commits once: the entries, their matches, the events and the cursor.
 *
 * - An entry that is stored already changes nothing, except that it may name its payout at last.
 * - A readable entry takes the place of a stored one that could not be read.
 *
 * Another process may have passed the place of the page. The page is then dropped as a whole, and the result is false.
 */
export async function recordPage(app: App, source: SettlementSource, page: SettlementPage): Promise<boolean> {
  return app.db.transaction(async (tx) => {
    const current = await lockSource(tx, source);
    if (!current || current.cursor !== source.cursor) return false;
    const now = app.clock.now();
    const { fresh, readAtLast } = await sortOut(app, tx, source, page.entries);
    const entries = [...fresh, ...readAtLast.map(({ entry }) => entry)];
    const matches = await match(tx, source, entries);
    const settlements = entries.flatMap((entry, index) => {
      const found = matches[index];
      const before = readAtLast[index - fresh.length]?.before ?? null;
      return found ? [settlementOf(app, source, { entry, match: found, now, before })] : [];
    });
    await insertSettlements(tx, settlements.slice(0, fresh.length));
    for (const settlement of settlements.slice(fresh.length)) await replaceUnreadable(tx, settlement);
    const isNew = new Set(entries);
    await namePayouts(
      tx,
      source,
      page.entries.filter((entry) => !isNew.has(entry)),
    );
    for (const [index, settlement] of settlements.entries())
      await recordEvents(app, tx, settlement, index >= fresh.length);
    await changeSource(tx, source, afterPage(now, page));
    return true;
  });
}

async function recordEvents(app: App, tx: Tx, settlement: Settlement, isReadAtLast: boolean): Promise<void> {
  if (settlement.kind === 'payout') await recordPayoutEvent(app, tx, settlement);
  if (settlement.difference !== null) await recordSettlementEvent(app, tx, 'difference-found', settlement);
  else if (isReadAtLast) await recordSettlementEvent(app, tx, 'difference-resolved', settlement);
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

/** Entries to store: new ones, and those whose stored form could not be read. */
type Sorted = {
  readonly fresh: readonly SettlementEntry[];
  readonly readAtLast: readonly { readonly entry: SettlementEntry; readonly before: Settlement }[];
};

/** Sorts out the entries to store, each once. A changed repeat is logged: the first report stands. */
async function sortOut(
  app: App,
  tx: Tx,
  source: SettlementSource,
  entries: readonly SettlementEntry[],
): Promise<Sorted> {
  const references = entries.map(({ reference }) => reference);
  const stored = new Map((await readKnown(tx, source, references)).map((each) => [each.reference, each]));
  const seen = new Map<string, SettlementEntry>(stored);
  const fresh: SettlementEntry[] = [];
  const readAtLast: { entry: SettlementEntry; before: Settlement }[] = [];
  for (const entry of entries) {
    const { reference } = entry;
    const before = seen.get(reference);
    const unread = stored.get(reference);
    if (before === undefined) fresh.push(entry);
    else if (entry.kind === 'unreadable') continue;
    else if (before.kind === 'unreadable' && unread) readAtLast.push({ entry, before: unread });
    else if (!sameEntry(before, entry)) logChanged(app, source, reference);
    if (before === undefined || before.kind === 'unreadable') seen.set(reference, entry);
  }
  return { fresh, readAtLast };
}

function logChanged(
  app: App,
  { merchantAccountId, paymentServiceId }: SettlementSource,
  reference: string,
): void {
  const about = { merchantAccountId, paymentServiceId, reference };
  app.log.error(about, 'The provider repeated a settlement with other facts. The first report stands.');
}

type New = {
  readonly entry: SettlementEntry;
  readonly match: Match;
  readonly now: Date;
  /** The stored entry that could not be read. Null for a new entry. */
  readonly before: Settlement | null;
};

const settlementOf = (
  app: App,
  { merchantAccountId, paymentServiceId }: SettlementSource,
  { entry, match: found, now, before }: New,
): Settlement => ({
  ...{ ...entry, ...found, merchantAccountId, paymentServiceId, id: before?.id ?? app.ids.uuid() },
  ...{ providerKind: entry.providerKind ?? null, line: entry.line ?? null },
  ...{ captureReference: entry.captureReference ?? null, isPart: entry.isPart ?? false },
  capturedTotal: entry.capturedTotal ?? null,
  ...{ explanation: null, explainedAt: null, rematchAt: nextMatchAt(now, found, now) },
  tellAt: found.difference === null ? null : tellAtOf(now, entry, found),
  ...{ createdAt: before?.createdAt ?? now, updatedAt: now },
});
