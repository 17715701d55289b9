import type { App } from '../../../app.ts';
import { readToken, replaceToken, type NewToken } from '../store/payment-method-tokens.ts';
import { lockPaymentMethod } from '../store/payment-methods.ts';
import { sealToken, unsealToken } from './instrument.ts';

/** Where a provider's token belongs. */
export type TokenPlace = Pick<NewToken, 'merchantAccountId' | 'paymentMethodId' | 'paymentServiceId'>;

/**
 * Keeps what a payment service knows a payment method by, in place of what it knew it by before. A `mandate` is revoked at the
 * service when the payment method is deleted. False, and nothing kept, when the payment method is deleted or on its way out:
 * then a mandate has to be revoked by the caller. Commits once; not inside a transaction.
 */
export async function putProviderToken(
  app: App,
  { merchantAccountId, paymentMethodId, paymentServiceId }: TokenPlace,
  { token, mandate }: { readonly token: string; readonly mandate: boolean },
): Promise<boolean> {
  const owner = { merchantAccountId, id: app.ids.uuid() };
  const sealedToken = await sealToken(app.vault, owner, token);
  return await app.db.transaction(async (tx) => {
    const locked = await lockPaymentMethod(tx, merchantAccountId, paymentMethodId);
    if (!locked || locked.status === 'deleting') return false;
    const kept = { ...owner, paymentMethodId, paymentServiceId, sealedToken, mandate };
    await replaceToken(tx, kept, app.clock.now());
    return true;
  });
}

/** What a payment service knows a payment method by, in clear, for one call; null when it does not know it. */
export async function openProviderToken(app: App, place: TokenPlace): Promise<string | null> {
  const { merchantAccountId } = place;
  const found = await readToken(app.db, merchantAccountId, place);
  return found && (await unsealToken(app.vault, { merchantAccountId, id: found.id }, found.sealedToken));
}
