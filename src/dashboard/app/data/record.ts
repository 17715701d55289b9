import { parsePayload } from '../../../client/payload.ts';

type About = { readonly target: { readonly type: string; readonly id: string }; readonly payload: string };

/** The pages of records, by the type of the record. */
const PAGES: Readonly<Record<string, string>> = {
  transaction: 'payments',
  buyer: 'buyers',
  dispute: 'disputes',
  settlement: 'settlements',
  // A payout has the id of its entry.
  payout: 'settlements',
  'gift-card': 'gift-cards',
  'payment-link': 'links',
  'webhook-endpoint': 'webhooks',
  'payment-service': 'services',
  'anti-fraud-service': 'anti-fraud',
  'routing-rule-set': 'routing',
};

/** Returns the address of the record that an event is about, or of its payment. Null without such a page. */
export function recordOf({ target, payload }: About): string | null {
  const page = PAGES[target.type];
  if (page !== undefined) return `${page}/${target.id}`;
  const { target: about } = parsePayload({ payload });
  return 'transaction_id' in about ? `payments/${about.transaction_id}` : null;
}
