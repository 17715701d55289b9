import type { Db } from '../../../platform/database/db.ts';
import { prepareFile } from '../../../platform/database/statement.ts';
import type { LookUp } from './look-up.ts';

const noteStatement = prepareFile(import.meta, 'note-reported-payment.sql');

/** Notes that a webhook named a payment. Returns false, and writes nothing, for an unknown payment. Commits once. */
export async function writeReported(
  db: Db,
  { merchantAccountId: account, paymentServiceId: service, reference }: LookUp,
  nextAt: Date,
): Promise<boolean> {
  const rows = await db.query<{ isNoted: boolean }>(noteStatement({ account, service, reference, nextAt }));
  return rows.length > 0;
}
