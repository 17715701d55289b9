import type { Stripe } from 'stripe';
import { cutText, type CallContext, type AuthorizeRequest } from '../../door.ts';
import type { StripeAmount } from '../model/amount.ts';
import { shippingOf } from './buyer-wire.ts';
import { cardOptionsToWire, setupOptionsToWire, isRefusingActions } from './card-options-wire.ts';
import { AMOUNT } from '../model/names.ts';
import { METHOD_TYPES } from '../model/definitions.ts';
import { MEANS, NETWORK_TOKEN } from '../model/names.ts';
import { mandateToWire } from './means-wire.ts';
import { orderToWire } from './order-wire.ts';
import type { splitsToWire } from './splits-wire.ts';
import { statementOf } from './statement-wire.ts';

/** The means to pay, by Stripe's names. */
export type Means = {
  readonly customer: string | null;
  /** The id of a payment method. Null if `data` describes the method. */
  readonly paymentMethod: string | null;
  readonly data: Stripe.PaymentIntentCreateParams.PaymentMethodData | null;
  /** Options without which Stripe refuses the method. Absent for most. */
  readonly options?: Stripe.PaymentIntentCreateParams.PaymentMethodOptions | null;
};

/** The parts of a call that decide its form. */
export type Requested = {
  readonly request: AuthorizeRequest;
  readonly means: Means;
  readonly context: Pick<CallContext, 'definition' | 'credentials'>;
  /** The transfer and the fee. Absent for a payment without shares. */
  readonly shares?: Extract<ReturnType<typeof splitsToWire>, { readonly ok: true }>['value'];
};

/** Maps our authorisation to a payment intent, which is confirmed at once. */
export function paymentIntentToWire(
  { request, means, context, shares }: Requested,
  { amount, currency }: StripeAmount,
): Stripe.PaymentIntentCreateParams {
  const { capture, series, buyer, merchantReference, order } = request;
  const isCard = METHOD_TYPES[context.definition.id] === 'card';
  const shipping = shippingOf(buyer);
  const confirmation = confirmationOf({ request, means, context });
  return {
    amount,
    currency,
    // Stripe refuses `manual` with a method that is captured at once.
    capture_method: capture || !context.definition.supportedFeatures.delayed_capture ? 'automatic' : 'manual',
    ...confirmation,
    metadata: { ...confirmation.metadata, [AMOUNT]: String(amount) },
    ...(isCard && isRefusingActions(request) && { error_on_requires_action: true }),
    ...(series.merchantInitiated && { off_session: true }),
    ...(series.tokenizes && { setup_future_usage: 'off_session' as const }),
    ...statementOf(request.statementDescriptor, isCard, context.credentials),
    ...(shipping && { shipping }),
    ...(isCard && cardOptionsToWire(request, context.credentials)),
    ...(isCard && capture && order && orderToWire(order, request.money.currency)),
    ...(means.options && { payment_method_options: means.options }),
    ...shares,
    description: textOf(merchantReference),
    expand: ['latest_charge'],
  };
}

/** Maps an authorisation of nothing to a setup intent, which checks and stores the payment method. */
export const setupIntentToWire = ({
  request,
  means,
  context,
}: Requested): Stripe.SetupIntentCreateParams => ({
  ...confirmationOf({ request, means, context }),
  usage: 'off_session',
  ...(METHOD_TYPES[context.definition.id] === 'card' && setupOptionsToWire(request)),
  description: textOf(request.merchantReference),
});

/** The parameters that both intents have in common. */
function confirmationOf({ request, means, context: { definition } }: Requested) {
  const { key, series, bank, networkToken, returnUrl, merchantReference } = request;
  const mandate = bank && mandateToWire(bank);
  const type = METHOD_TYPES[definition.id];
  return {
    confirm: true,
    ...(type && { allowed_payment_method_types: [type] }),
    ...(means.customer !== null && { customer: means.customer }),
    ...(means.paymentMethod !== null && { payment_method: means.paymentMethod }),
    ...(means.data && { payment_method_data: means.data }),
    ...(mandate && { mandate_data: mandate }),
    // Without the buyer nobody can follow a page.
    ...(returnUrl !== null && !series.merchantInitiated && { return_url: returnUrl }),
    metadata: {
      paygraph_operation: key,
      paygraph_verb: 'authorize',
      paygraph_reference: textOf(merchantReference),
      ...(networkToken && { [MEANS]: NETWORK_TOKEN }),
    },
  };
}

/** The longest value of metadata, which also fits a description. */
const TEXT_MAX = 500;

const textOf = (reference: string): string => cutText(reference, TEXT_MAX) ?? '';
