import type { App } from '../../../../app.ts';
import { failpoint } from '../../../../platform/failpoint.ts';
import type { SealedToken } from '../../store/payment-expressions.ts';
import { readToken, readTokenIn, replaceToken } from '../../store/payment-method-tokens.ts';
import { findTokenOf } from '../../store/reported-tokens.ts';
import { lockPaymentMethod } from '../../store/payment-methods.ts';
import { recordTokenEvent } from '../event.ts';
import { digestToken, sealToken, unsealToken } from '../instrument.ts';
import type { TokenPlace } from './provider-token.ts';

/** Seals a provider's token for a row that a settlement writes. Call outside a transaction. */
export async function sealRecurringToken(
  app: App,
  merchantAccountId: string,
  token: string,
): Promise<SealedToken> {
  const id = app.ids.uuid();
  return {
    id,
    sealed: await sealToken(app.vault, { merchantAccountId, id }, token),
    digest: await digestToken(app.vault, merchantAccountId, token),
  };
}

/**
 * Stores a token that a provider reports after the payment, and writes `recurring.token.created`. Commits once.
 * Call outside a transaction.
 *
 * - Stores a repeated token once.
 * - Replaces an earlier token by a different token.
 * - Returns false and stores nothing for a known token, or for a token that its provider has disabled.
 * - Returns false and stores nothing if the payment method is deleted or `deleting`.
 */
export async function storeRecurringToken(app: App, place: TokenPlace, token: string): Promise<boolean> {
  const { merchantAccountId, paymentMethodId, paymentServiceId } = place;
  const known = await readToken(app.db, merchantAccountId, place);
  const isKnown =
    known && (await unsealToken(app.vault, { merchantAccountId, id: known.id }, known.sealedToken)) === token;
  if (isKnown) return false;
  const { id, sealed, digest } = await sealRecurringToken(app, merchantAccountId, token);
  const written = await app.db.transaction(async (tx) => {
    const locked = await lockPaymentMethod(tx, merchantAccountId, paymentMethodId);
    if (!locked || locked.status === 'deleting') return 'gone';
    if ((await readTokenIn(tx, merchantAccountId, place))?.id !== known?.id) return 'changed';
    const found = await findTokenOf(tx, { ...place, tokenDigest: digest });
    if (found?.status === 'disabled') return 'gone';
    const row = {
      ...{ merchantAccountId, id, paymentMethodId, paymentServiceId },
      ...{ sealedToken: sealed, tokenDigest: digest },
    };
    await replaceToken(tx, { ...row, mandate: false }, app.clock.now());
    await recordTokenEvent(app, tx, 'created', { paymentMethod: locked, paymentServiceId });
    return 'stored';
  });
  await failpoint('recurring_token.stored');
  // Another process stored a token since the read, perhaps the same token.
  return written === 'changed' ? storeRecurringToken(app, place, token) : written === 'stored';
}
