import type { App, Viewer } from '../../../app.ts';
import { inOrderOf } from '../../../platform/ids.ts';
import type { LineOrWhole } from '../../../platform/database/column-set.ts';
import type { Tx } from '../../../platform/database/db.ts';
import {
  findPaymentMethodsByIds,
  lockPaymentMethod,
  readSealedInstrument,
} from '../store/payment-methods.ts';
import { unsealInstrument, type Instrument } from './instrument.ts';
import { isUsable, type PaymentMethod } from '../model/payment-method.ts';

/**
 * Returns payment methods with the fields of `columns` in the order of the ids. Unknown and deleted payment methods are null.
 */
export async function findPaymentMethods(
  app: App,
  viewer: Pick<Viewer, 'merchantAccountId'>,
  ids: readonly string[],
  columns: LineOrWhole = 'whole',
): Promise<readonly (PaymentMethod | null)[]> {
  const found = await findPaymentMethodsByIds(app.db, viewer.merchantAccountId, ids, columns);
  return inOrderOf(ids, found);
}

/** Returns a payment method that can pay. Null if the payment method is unknown or not usable. */
export async function findUsablePaymentMethod(
  app: App,
  merchantAccountId: string,
  id: string,
): Promise<PaymentMethod | null> {
  const [found] = await findPaymentMethodsByIds(app.db, merchantAccountId, [id]);
  return found && isUsable(found) ? found : null;
}

/** Returns a payment method that can pay, and locks the row until the transaction ends. */
export async function lockUsablePaymentMethod(
  tx: Tx,
  merchantAccountId: string,
  id: string,
): Promise<PaymentMethod | null> {
  const found = await lockPaymentMethod(tx, merchantAccountId, id);
  return found && isUsable(found) ? found : null;
}

/**
 * Returns the instrument in clear, for one call. Call outside a transaction.
 *
 * Returns null in these cases:
 *
 * - Only a provider holds the instrument, as for redirect methods and mandates.
 * - The payment method is deleted.
 */
export async function openInstrument(
  app: App,
  { merchantAccountId, id }: Pick<PaymentMethod, 'merchantAccountId' | 'id'>,
): Promise<Instrument | null> {
  const sealed = await readSealedInstrument(app.db, merchantAccountId, id);
  return sealed === null ? null : await unsealInstrument(app.vault, { merchantAccountId, id }, sealed);
}
