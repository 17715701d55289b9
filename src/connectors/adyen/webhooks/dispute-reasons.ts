import type { DisputeReason } from '../../door.ts';

/** The reason codes of the schemes. Codes of Visa have a dot, those of Mastercard begin with 48, and Amex has a letter. */
const REASONS: Readonly<Record<string, DisputeReason>> = {
  ...sameFor(['10.1', '10.2', '10.3', '10.4', '10.5'], 'fraudulent'),
  ...sameFor(['11.1', '11.2', '11.3', '12.1', '12.2', '12.3', '12.4', '12.7'], 'processing_error'),
  '12.5': 'incorrect_amount',
  ...sameFor(['12.6', '12.6.1', '12.6.2'], 'duplicate'),
  '13.1': 'product_not_received',
  '13.2': 'subscription_canceled',
  ...sameFor(['13.3', '13.4', '13.5'], 'product_unacceptable'),
  ...sameFor(['13.6', '13.7'], 'credit_not_processed'),
  ...sameFor(['4837', '4840', '4849', '4863', '4870', '4871'], 'fraudulent'),
  ...sameFor(['4807', '4808', '4812', '4842', '4846'], 'processing_error'),
  '4831': 'incorrect_amount',
  '4834': 'duplicate',
  '4841': 'subscription_canceled',
  '4853': 'product_unacceptable',
  '4855': 'product_not_received',
  '4860': 'credit_not_processed',
  ...sameFor(['F10', 'F14', 'F24', 'F29', 'F30', 'F31', 'FR2', 'FR4', 'FR6'], 'fraudulent'),
  ...sameFor(['P01', 'P03', 'P04', 'P07', 'P22', 'P23'], 'processing_error'),
  P05: 'incorrect_amount',
  P08: 'duplicate',
  C08: 'product_not_received',
  C28: 'subscription_canceled',
  ...sameFor(['C31', 'C32'], 'product_unacceptable'),
  ...sameFor(['C02', 'C04', 'C05'], 'credit_not_processed'),
};

/** Returns the buyer's reason for a scheme's code. */
export const disputeReasonOf = (code: string): DisputeReason => REASONS[code] ?? 'general';

function sameFor(codes: readonly string[], reason: DisputeReason): Readonly<Record<string, DisputeReason>> {
  return Object.fromEntries(codes.map((code) => [code, reason]));
}
