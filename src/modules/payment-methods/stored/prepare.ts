import type { App } from '../../../app.ts';
import type { NewPaymentMethod } from '../store/payment-expressions.ts';
import { NEW } from './create.ts';
import { describeInstrument, type InstrumentGiven } from './describe.ts';
import { sealInstrument } from './instrument.ts';
import type { PaymentMethod } from '../model/payment-method.ts';
import { paymentMethodTerms } from './terms.ts';

/**
 * Prepares the payment method that a payment stores. The payment's claim writes the row. The status is
 * `processing` until the payment is approved.
 *
 * Writes nothing. Seals data, so call outside a transaction.
 */
export async function preparePaymentMethod(
  app: App,
  merchantAccountId: string,
  instrument: InstrumentGiven,
  { buyerId, now }: { readonly buyerId: string | null; readonly now: Date },
): Promise<NewPaymentMethod> {
  const { shown, secret, identity } = describeInstrument(instrument);
  const owner = { merchantAccountId, id: app.ids.uuid() };
  const paymentMethod: PaymentMethod = {
    ...NEW,
    ...shown,
    ...owner,
    buyerId,
    fingerprint: identity === null ? null : await app.vault.fingerprint(merchantAccountId, identity),
    externalIdentifier: null,
    createdAt: now,
    updatedAt: now,
  };
  return {
    paymentMethod,
    sealedInstrument: secret && (await sealInstrument(app.vault, owner, secret)),
    terms: paymentMethodTerms(paymentMethod),
    eventId: app.ids.uuid(),
  };
}
