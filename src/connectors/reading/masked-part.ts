import { parseJson } from '../../kernel/json.ts';
import { withoutCardNumbers } from './notice-words.ts';
import { isDisputeNotice } from '../notices/disputes.ts';
import { isStoredMethodNotice } from '../notices/stored-methods.ts';
import type { WebhookNotice } from '../notices/webhook.ts';

/**
 * Hides every possible card number in a part of a webhook, so that the part can be stored. JSON stays JSON: each text and each
 * number is masked alone, also behind escapes. A UUID stays, because our ids must stay readable.
 */
export const maskPart = (part: string): string =>
  parseJson(part) === null
    ? withoutNumbers(part)
    : part.replace(TOKENS, (token) => (token.startsWith('"') ? maskText(token) : maskNumber(token)));

/** The texts and the numbers of JSON. A walk through the parsed value could be deeper than the stack. */
const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g;

function maskText(token: string): string {
  const text = JSON.parse(token) as string;
  const masked = withoutNumbers(text);
  return masked === text ? token : JSON.stringify(masked);
}

const maskNumber = (token: string): string =>
  withoutNumbers(token) === token ? token : JSON.stringify(MASK);

const withoutNumbers = (text: string): string =>
  text
    .split(UUID)
    .map((between, at) => (at % 2 === 1 ? between : withoutCardNumbers(between)))
    .join('');

/** Splits a text, and keeps the ids at the odd places. */
const UUID = /([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/gi;

/** The character in the place of a possible card number. */
const MASK = '…';

/** True if a part may have lost a number. The provider may have written the character itself. */
export const isMasked = (part: string): boolean => part.includes(MASK);

/** True if an id of a notice is not the provider's any more. Such a notice would find nothing, or a wrong operation. */
export function hasMaskedId(notice: WebhookNotice): boolean {
  if (isDisputeNotice(notice)) {
    const { eventKey, reference, paymentReference, dispute } = notice;
    return anyMasked([eventKey, reference, paymentReference, dispute.disputeReference]);
  }
  if (isStoredMethodNotice(notice)) return anyMasked([notice.eventKey, notice.storedMethod.token]);
  const { eventKey, reference, paymentReference, captureReference, outcome } = notice;
  const reversal = outcome.kind === 'reversed' ? outcome.reversalReference : null;
  const token = 'recurringToken' in outcome ? outcome.recurringToken : null;
  const scheme = outcome.kind === 'succeeded' ? outcome.schemeTransactionId : null;
  return anyMasked([eventKey, reference, paymentReference, captureReference, reversal, token, scheme]);
}

const anyMasked = (ids: readonly (string | null | undefined)[]): boolean =>
  ids.some((id) => id?.includes(MASK) === true);
