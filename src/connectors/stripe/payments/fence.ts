import type { CallContext, Money } from '../../door.ts';
import type { Answer, Api } from '../api/exchange.ts';
import { PAYMENT_INTENTS, SETUP_INTENTS } from '../api/read-payment.ts';
import { toStripe } from '../model/amount.ts';
import { METHOD_TYPES } from '../model/definitions.ts';

/** The reason for an empty payment: a cancel, or a card that Stripe refuses on a repeat. */
type Verb = 'cancel' | 'refuse';

/**
 * Lets an empty payment take the key of an authorisation. It has no payment method, so no money moves. Stripe then refuses the
 * authorisation, should a request for it arrive after all. If one arrived before, Stripe refuses the empty payment. Null for an
 * amount that Stripe cannot express.
 */
export function takeKey(
  api: Api,
  { definition }: Pick<CallContext, 'definition'>,
  { key, money, verb }: { readonly key: string; readonly money: Money; readonly verb: Verb },
): Promise<Answer> | null {
  const amount = toStripe(money);
  if (amount === null) return null;
  const type = METHOD_TYPES[definition.id];
  const fence = {
    ...(amount.amount > 0 && amount),
    ...(type && { allowed_payment_method_types: [type] }),
    metadata: { paygraph_operation: key, paygraph_verb: verb },
  };
  return api.post(amount.amount > 0 ? PAYMENT_INTENTS : SETUP_INTENTS, fence, key);
}
