import { queryIn, type Tx } from '../../../platform/database/db.ts';
import { isUuid } from '../../../platform/ids.ts';
import { prepareFile } from '../../../platform/database/statement.ts';
import type { SettlementEntry, SettlementService } from '../settlement.ts';
import type { Booking, Books, HeldDispute, Named, NamedEntry } from './match-rules.ts';

const namedStatement = prepareFile(import.meta, 'name-settlements.sql');

/** Finds all that each entry names at its payment service, in the order of the entries. */
export async function nameEntries(
  tx: Tx,
  { merchantAccountId: account, paymentServiceId: service }: SettlementService,
  entries: readonly SettlementEntry[],
): Promise<readonly NamedEntry[]> {
  const rows = await queryIn(tx).query<Named & { readonly place: number }>(
    namedStatement({
      ...{ account, service },
      keys: entries.map(({ key }) => (key !== null && isUuid(key) ? key : null)),
      references: entries.map(({ operationReference }) => operationReference),
      disputes: entries.map(({ disputeReference }) => disputeReference),
      payments: entries.map(({ paymentReference }) => paymentReference),
      captures: entries.map(({ captureReference }) => captureReference ?? null),
    }),
  );
  const byPlace = Map.groupBy(rows, ({ place }) => place);
  return entries.map((entry, index) => ({ entry, named: byPlace.get(index + 1) ?? [] }));
}

const bookingsStatement = prepareFile(import.meta, 'bookings-to-settle.sql');

const disputesStatement = prepareFile(import.meta, 'disputes-to-settle.sql');

/** Reads what is booked for the named payments at a payment service. The caller holds the lock of the source. */
export async function readBooks(
  tx: Tx,
  { merchantAccountId: account, paymentServiceId: service }: SettlementService,
  entries: readonly NamedEntry[],
): Promise<Books> {
  const transactions = [
    ...new Set(entries.flatMap(({ named }) => named.map(({ transactionId }) => transactionId))),
  ];
  if (transactions.length === 0) return { bookings: [], disputes: [] };
  const given = { account, service, transactions };
  return {
    bookings: await queryIn(tx).query<Booking>(bookingsStatement(given)),
    disputes: await queryIn(tx).query<HeldDispute>(disputesStatement(given)),
  };
}
