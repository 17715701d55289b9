import type { Db } from '../../../platform/database/db.ts';
import { prepareFile } from '../../../platform/database/statement.ts';
import type { LookUp } from '../named/look-up.ts';
import { toSwept, type SweptPayment, type SweptRow } from '../sweep/store/sweeps.sql.ts';

const readStatement = prepareFile(import.meta, 'read-named-payment.sql');

/** Reads the payment that a webhook names. Null if the payment service has no such payment. */
export async function readNamed(
  db: Db,
  { merchantAccountId: account, paymentServiceId: service, reference }: LookUp,
): Promise<SweptPayment | null> {
  const [row] = await db.query<SweptRow>(readStatement({ account, service, reference }));
  return row ? toSwept(row) : null;
}
