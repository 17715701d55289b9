import type { PaymentLinkNotActive } from '../../modules/payment-links/index.ts';
import type { RoutingActivationBegun } from '../../modules/routing/index.ts';
import { differenceSentence } from './difference-sentence.ts';

type TooLate = Parameters<typeof differenceSentence>[0] | PaymentLinkNotActive | RoutingActivationBegun;

/** Says why the state of a record no longer allows its change. */
export function tooLateFor(refusal: TooLate): string {
  if (refusal.kind === 'RoutingActivationBegun') return ACTIVATION_BEGUN;
  return refusal.kind === 'PaymentLinkNotActive'
    ? linkNotActive(refusal.status)
    : differenceSentence(refusal);
}

const ACTIVATION_BEGUN =
  'The activation has begun, and payments may have followed it. Activate another version with activateRoutingRuleSet.';

const linkNotActive = (status: string): string =>
  `The payment link cannot be expired while its status is ${status.toUpperCase()}: the status must be ACTIVE.`;
