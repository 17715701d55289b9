import type { App, Viewer } from '../../../app.ts';
import { notFound, type NotFound } from '../../../kernel/refusal.ts';
import { ok, refuse, type Result } from '../../../kernel/result.ts';
import type { Tx } from '../../../platform/database/db.ts';
import { failpoint } from '../../../platform/failpoint.ts';
import type { Buyer } from '../model/buyer.ts';
import { claimRevocations, countMandates, type RevokingToken } from '../store/payment-method-tokens.ts';
import {
  erasePaymentMethod,
  isPaymentMethodDeleted,
  lockPaymentMethod,
  readIdsOfBuyer,
  replacePaymentMethod,
} from '../store/payment-methods.ts';
import { recordPaymentMethodEvent } from './event.ts';
import { statusAfter, type PaymentMethod } from '../model/payment-method.ts';
import { recordRevocation, revoke } from './at-provider/revoke.ts';

/**
 * The result of a deletion. A null `deletedId` means that a mandate may still be in force. Then `paymentMethod`
 * holds the current state.
 */
export type DeletedPaymentMethod = {
  readonly deletedId: string | null;
  readonly paymentMethod: PaymentMethod | null;
};

/**
 * Deletes a payment method: erases the instrument and the tokens at providers.
 *
 * Without mandates, the deletion commits once. Mandates are revoked first:
 *
 * 1. A commit marks the payment method `deleting`.
 * 2. The provider revokes the mandate, with no transaction open.
 * 3. A commit records the result.
 *
 * The payment method stays `deleting` and unusable if the provider refuses, gives no answer, or the process
 * dies. Another call continues the deletion under the same provider key, or under a new key after a refusal.
 *
 * A deleted payment method gives the same answer again. Concurrent calls share one provider key, and the first
 * to settle wins.
 */
export async function deletePaymentMethod(
  app: App,
  viewer: Viewer,
  id: string,
): Promise<Result<DeletedPaymentMethod, NotFound>> {
  const { merchantAccountId } = viewer;
  const claimed = await app.db.transaction((tx) => claim(app, tx, merchantAccountId, id));
  if (!claimed) return await answerDeleted(app, viewer, id);
  if (claimed.length === 0) return ok(deletedAnswer(id));
  await failpoint('deletePaymentMethod.claimed');
  const answers = await Promise.all(
    claimed.map(async (token) => ({ token, revocation: await revoke(app, token) })),
  );
  await failpoint('deletePaymentMethod.called');
  const remaining = await app.db.transaction(async (tx) => {
    const locked = await lockPaymentMethod(tx, merchantAccountId, id);
    if (!locked) return null;
    for (const { token, revocation } of answers) await recordRevocation(app, tx, token, revocation);
    if ((await countMandates(tx, merchantAccountId, id)) > 0) return locked;
    await erase(app, tx, locked);
    return null;
  });
  await failpoint('deletePaymentMethod.settled');
  return ok(remaining ? { deletedId: null, paymentMethod: remaining } : deletedAnswer(id));
}

/**
 * Returns the mandates to revoke first. Empty if the payment method is deleted already, null if it does not
 * exist.
 */
async function claim(
  app: App,
  tx: Tx,
  merchantAccountId: string,
  id: string,
): Promise<readonly RevokingToken[] | null> {
  const before = await lockPaymentMethod(tx, merchantAccountId, id);
  if (!before) return null;
  const now = app.clock.now();
  const mandates = await claimRevocations(tx, merchantAccountId, id, { now, newKey: () => app.ids.uuid() });
  if (mandates.length === 0) {
    await erase(app, tx, before);
  } else if (before.status !== 'deleting' && statusAfter(before.status, 'begin_deletion') === 'deleting') {
    const after: PaymentMethod = { ...before, status: 'deleting', updatedAt: now };
    await replacePaymentMethod(tx, after);
    await recordPaymentMethodEvent(app, tx, 'updated', after);
  }
  return mandates;
}

/**
 * Deletes the payment methods of a locked buyer in the caller's transaction. No provider is called.
 *
 * A payment method with a mandate stays `deleting`. A deletion of that payment method revokes the mandate.
 */
export async function deletePaymentMethodsOf(
  app: App,
  tx: Tx,
  { merchantAccountId, id }: Pick<Buyer, 'merchantAccountId' | 'id'>,
): Promise<void> {
  for (const methodId of await readIdsOfBuyer(tx, merchantAccountId, id))
    await claim(app, tx, merchantAccountId, methodId);
}

async function erase(app: App, tx: Tx, paymentMethod: PaymentMethod): Promise<void> {
  const now = app.clock.now();
  await erasePaymentMethod(tx, paymentMethod, now);
  await recordPaymentMethodEvent(app, tx, 'deleted', { ...paymentMethod, updatedAt: now });
}

const answerDeleted = async (
  app: App,
  { merchantAccountId }: Viewer,
  id: string,
): Promise<Result<DeletedPaymentMethod, NotFound>> =>
  (await isPaymentMethodDeleted(app.db, merchantAccountId, id))
    ? ok(deletedAnswer(id))
    : refuse(notFound('payment method'));

const deletedAnswer = (id: string): DeletedPaymentMethod => ({
  deletedId: id.toLowerCase(),
  paymentMethod: null,
});
