import type { Db } from '../../../../platform/database/db.ts';
import { prepareFile } from '../../../../platform/database/statement.ts';
import { TRY_AGAIN_AFTER_MS } from '../passes.ts';
import { toSwept, type Sweep, type SweptPayment, type SweptRow } from './sweeps.sql.ts';

type Service = Pick<Sweep, 'merchantAccountId' | 'paymentServiceId'>;

const putStatement = prepareFile(import.meta, 'put-payment-aside.sql');

/** Puts a payment aside whose provider gave no answer. Counts the try, and names the next one. Commits once. */
export async function putAside(
  db: Db,
  { merchantAccountId: account, paymentServiceId: service }: Service,
  given: { readonly payment: string; readonly cause: string; readonly now: Date },
): Promise<void> {
  await db.query(putStatement({ account, service, ...given, pausesMs: TRY_AGAIN_AFTER_MS }));
}

const forgetStatement = prepareFile(import.meta, 'forget-unanswered-payments.sql');

/** Ends the tries for payments that a provider has answered about. Commits once. */
export async function forgetUnanswered(
  db: Db,
  { merchantAccountId: account, paymentServiceId: service }: Service,
  payments: readonly string[],
): Promise<void> {
  if (payments.length > 0) await db.query(forgetStatement({ account, service, payments }));
}

const nextStatement = prepareFile(import.meta, 'next-payments-unanswered.sql');

/** Reads the payments that are due for another try, longest due first. */
export async function unansweredPayments(
  db: Db,
  { merchantAccountId: account, paymentServiceId: service }: Service,
  bounds: { readonly now: Date; readonly limit: number },
): Promise<readonly SweptPayment[]> {
  const rows = await db.query<SweptRow>(nextStatement({ account, service, ...bounds }));
  return rows.map(toSwept);
}

const againStatement = prepareFile(import.meta, 'ask-unanswered-again.sql');

/** Makes every payment due that was put aside, of all merchant accounts. Returns their number. Commits once. */
export async function askUnansweredAgain(db: Db, now: Date): Promise<number> {
  const [row] = await db.query<{ payments: number }>(againStatement({ now }));
  return row?.payments ?? 0;
}
