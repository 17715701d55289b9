import type { App, Viewer } from '../../../app.ts';
import { notFound, type NotFound } from '../../../kernel/refusal.ts';
import { ok, refuse, type Result } from '../../../kernel/result.ts';
import type { Tx } from '../../../platform/db.ts';
import { failpoint } from '../../../platform/failpoint.ts';
import type { Buyer } from '../buyer.ts';
import { claimRevocations, countMandates, type RevokingToken } from '../store/payment-method-tokens.ts';
import {
  erasePaymentMethod,
  isPaymentMethodDeleted,
  lockPaymentMethod,
  readIdsOfBuyer,
  replacePaymentMethod,
} from '../store/payment-methods.ts';
import { recordPaymentMethodEvent } from './event.ts';
import { statusAfter, type PaymentMethod } from './payment-method.ts';
import { noteRevocation, revoke } from './revoke.ts';

/** `deletedId` null: a mandate is still in force, or may be; `paymentMethod` is what stands then. */
export type DeletedPaymentMethod = {
  readonly deletedId: string | null;
  readonly paymentMethod: PaymentMethod | null;
};

/**
 * Deletes a payment method: what could pay is erased, with its tokens at providers. Without mandates it commits once. A mandate
 * has to be revoked first: one commit marks the payment method `deleting`, the provider is called with no transaction open, and
 * another commit settles. When a provider does not answer, or refuses, or the process dies between, it stays `deleting`, can
 * not be used any more, and asking again goes on: under the same key, unless the provider has refused that one. Asked again of
 * a deleted one it answers the same. Two at once call with one key, and the first to settle wins.
 */
export async function deletePaymentMethod(
  app: App,
  viewer: Viewer,
  id: string,
): Promise<Result<DeletedPaymentMethod, NotFound>> {
  const { merchantAccountId } = viewer;
  const claimed = await app.db.transaction((tx) => claim(app, tx, merchantAccountId, id));
  if (!claimed) return await answerDeleted(app, viewer, id);
  if (claimed.length === 0) return ok(gone(id));
  await failpoint('deletePaymentMethod.claimed');
  const said = await Promise.all(
    claimed.map(async (token) => ({ token, revocation: await revoke(app, token) })),
  );
  await failpoint('deletePaymentMethod.called');
  const left = await app.db.transaction(async (tx) => {
    const locked = await lockPaymentMethod(tx, merchantAccountId, id);
    if (!locked) return null;
    for (const { token, revocation } of said) await noteRevocation(app, tx, token, revocation);
    if ((await countMandates(tx, merchantAccountId, id)) > 0) return locked;
    await erase(app, tx, locked);
    return null;
  });
  await failpoint('deletePaymentMethod.settled');
  return ok(left ? { deletedId: null, paymentMethod: left } : gone(id));
}

/** The mandates to be revoked before the rest; none when it could be deleted at once. Null: there is no such payment method. */
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
 * Deletes the payment methods of a buyer that is locked, in the transaction that erases it. No provider is called: one with a
 * mandate stays `deleting`, and deleting it by itself revokes the mandate.
 */
export async function dropPaymentMethodsOf(
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
    ? ok(gone(id))
    : refuse(notFound('payment method'));

const gone = (id: string): DeletedPaymentMethod => ({ deletedId: id.toLowerCase(), paymentMethod: null });
