import type { RoutingReason } from '../../modules/payment-services/index.ts';
import type { NoPaymentService, RefusedByRoutingRule } from '../../modules/transactions/index.ts';

/** Says which rule of the merchant refuses a payment. */
export const refusedByRule = ({ ruleName, ruleCode }: RefusedByRoutingRule): string =>
  `The routing rule "${ruleName}" refuses the payment with the code ${ruleCode}. Nothing was stored, and no provider was called. Change the payment, or activate other rules with activateRoutingRuleSet.`;

const NO_PAYMENT_SERVICE =
  'No active payment service accepts this method, currency and country. `passedOver` lists the reasons. Create one with createPaymentService, or change one with updatePaymentService.';

/** Adds the only reason against some service, if a value of the payment is this reason. Another payment may avoid it. */
export function noPaymentService(passedOver: NoPaymentService['passedOver']): string {
  const near = passedOver.find(
    ({ codes: [code, ...others] }) => code && others.length === 0 && AVOIDABLE.has(code),
  );
  return near ? `${NO_PAYMENT_SERVICE} ${near.message}` : NO_PAYMENT_SERVICE;
}

const AVOIDABLE: ReadonlySet<string> = new Set<RoutingReason>([
  ...(['apple_pay', 'card_network_choice', 'card_page', 'google_pay'] as const),
  'installments',
  'local_currency',
  'network_tokens',
  'payment_method_tokenization',
  'provider_tokens',
  'raw_card_data',
  'splits',
  'three_d_secure_pass_through',
]);
