import type { App } from '../../../../app.ts';
import {
  readToken,
  readTokenServices,
  replaceToken,
  type NewToken,
} from '../../store/payment-method-tokens.ts';
import { lockPaymentMethod } from '../../store/payment-methods.ts';
import { digestToken, sealToken, unsealToken } from '../instrument.ts';

/** The payment method and the payment service of a provider's token. */
export type TokenPlace = Pick<NewToken, 'merchantAccountId' | 'paymentMethodId' | 'paymentServiceId'>;

/**
 * Stores a payment service's token for a payment method, and replaces the earlier token. Commits once. Call
 * outside a transaction.
 *
 * A later deletion of the payment method revokes a token that is a `mandate`.
 *
 * Returns false and stores nothing if the payment method is deleted or `deleting`. The caller must then revoke
 * a mandate.
 */
export async function putProviderToken(
  app: App,
  { merchantAccountId, paymentMethodId, paymentServiceId }: TokenPlace,
  { token, mandate }: { readonly token: string; readonly mandate: boolean },
): Promise<boolean> {
  const owner = { merchantAccountId, id: app.ids.uuid() };
  const sealedToken = await sealToken(app.vault, owner, token);
  const tokenDigest = await digestToken(app.vault, merchantAccountId, token);
  return await app.db.transaction(async (tx) => {
    const locked = await lockPaymentMethod(tx, merchantAccountId, paymentMethodId);
    if (!locked || locked.status === 'deleting') return false;
    const row = { ...owner, paymentMethodId, paymentServiceId, sealedToken, tokenDigest, mandate };
    await replaceToken(tx, row, app.clock.now());
    return true;
  });
}

/** Lists the payment services that have a token of their own for a payment method. */
export const findTokenServices = (
  { db }: App,
  { merchantAccountId, paymentMethodId }: Omit<TokenPlace, 'paymentServiceId'>,
): Promise<readonly string[]> => readTokenServices(db, merchantAccountId, paymentMethodId);

/** Returns a payment service's token for a payment method in clear, for one call. Null if the service has none. */
export async function openProviderToken(app: App, place: TokenPlace): Promise<string | null> {
  const { merchantAccountId } = place;
  const found = await readToken(app.db, merchantAccountId, place);
  return found && (await unsealToken(app.vault, { merchantAccountId, id: found.id }, found.sealedToken));
}
