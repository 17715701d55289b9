import type { App, Viewer } from '../../../app.ts';
import type { Tx } from '../../../platform/db.ts';
import {
  findPaymentMethodsByIds,
  lockPaymentMethod,
  readSealedInstrument,
} from '../store/payment-methods.ts';
import { unsealInstrument, type Instrument } from './instrument.ts';
import { isUsable, type PaymentMethod } from './payment-method.ts';

/** Payment methods in the order of the ids; null where the merchant account has none of the id, or no more. */
export async function findPaymentMethods(
  app: App,
  viewer: Pick<Viewer, 'merchantAccountId'>,
  ids: readonly string[],
): Promise<readonly (PaymentMethod | null)[]> {
  const found = await findPaymentMethodsByIds(app.db, viewer.merchantAccountId, ids);
  const byId = new Map(found.map((paymentMethod) => [paymentMethod.id, paymentMethod]));
  // The database takes a UUID in either case and answers in lower case.
  return ids.map((id) => byId.get(id.toLowerCase()) ?? null);
}

/** A payment method that a payment can be made with; null when the merchant account has none of this id, or it is not usable. */
export async function findUsablePaymentMethod(
  app: App,
  merchantAccountId: string,
  id: string,
): Promise<PaymentMethod | null> {
  const [found] = await findPaymentMethodsByIds(app.db, merchantAccountId, [id]);
  return found && isUsable(found) ? found : null;
}

/** The same, kept from being changed or deleted until the transaction ends. */
export async function lockUsablePaymentMethod(
  tx: Tx,
  merchantAccountId: string,
  id: string,
): Promise<PaymentMethod | null> {
  const found = await lockPaymentMethod(tx, merchantAccountId, id);
  return found && isUsable(found) ? found : null;
}

/**
 * What is paid with, in clear, for one call. Null when only a provider has it (redirect methods and mandates), or when the
 * payment method is deleted. Not inside a transaction.
 */
export async function openInstrument(
  app: App,
  { merchantAccountId, id }: Pick<PaymentMethod, 'merchantAccountId' | 'id'>,
): Promise<Instrument | null> {
  const sealed = await readSealedInstrument(app.db, merchantAccountId, id);
  return sealed === null ? null : await unsealInstrument(app.vault, { merchantAccountId, id }, sealed);
}
