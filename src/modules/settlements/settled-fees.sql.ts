import { isoOf } from '../../kernel/moment.ts';
import type { Db } from '../../platform/database/db.ts';
import { prepareFile } from '../../platform/database/statement.ts';
import type { SettledFees } from '../routing/index.ts';

/** The most entries that are read, the latest ones. They take about a second. */
const CHARGES_MAX = 20_000;

/** The age of the oldest entries that count. Contracts change. */
const DAYS = 90;
const DAY_MS = 24 * 3_600_000;

const statement = prepareFile(import.meta, 'settled-fees.sql');

type Row = Omit<SettledFees, 'amount' | 'fees'> & { readonly amount: string; readonly fees: string };

/**
 * Sums the fees that settlements charged for a merchant account's payments in the last 90 days before a moment. Fees for refunds and
 * disputes, and those without a payment, do not count.
 */
export async function readSettledFees(
  db: Pick<Db, 'query'>,
  { account, at }: { readonly account: string; readonly at: Date },
): Promise<readonly SettledFees[]> {
  const fromDay = isoOf(new Date(at.getTime() - DAYS * DAY_MS)).slice(0, 10);
  const rows = await db.query<Row>(statement({ account, fromDay, toAt: at, limit: CHARGES_MAX }));
  return rows.map(({ amount, fees, ...row }) => ({ ...row, amount: Number(amount), fees: Number(fees) }));
}
