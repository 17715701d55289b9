import type { App } from '../../app.ts';
import type { Tx } from '../../platform/database/db.ts';
import { recordEvent } from '../event-log/index.ts';
import type { PaymentLink } from './payment-link.ts';

/** Records `payment-link.<change>` in the transaction of the change. The address is a secret and is not published. */
export const recordLinkEvent = (
  app: App,
  tx: Tx,
  change: 'created' | 'updated',
  link: PaymentLink,
): Promise<void> =>
  recordEvent(tx, { ...eventOf(app, link), name: `payment-link.${change}`, target: targetOf(link) });

/** The buyer's request for a receipt. `emailAddress` is stored in the event alone. */
export type ReceiptRequest = { readonly transactionId: string; readonly emailAddress: string };

/** Records `payment-link.receipt-requested` in the transaction that marks the link. */
export const recordReceiptRequest = (
  app: App,
  tx: Tx,
  link: PaymentLink,
  { transactionId, emailAddress }: ReceiptRequest,
): Promise<void> =>
  recordEvent(tx, {
    ...eventOf(app, link),
    name: 'payment-link.receipt-requested',
    target: { ...targetOf(link), transaction_id: transactionId, email_address: emailAddress },
  });

const eventOf = ({ ids, config }: App, { merchantAccountId, updatedAt }: PaymentLink) => ({
  ...{ merchantAccountId, id: ids.uuid(), createdAt: updatedAt, production: config.production },
});

const targetOf = (link: PaymentLink) => ({
  type: 'payment-link' as const,
  id: link.id,
  status: link.status,
  external_identifier: link.externalIdentifier,
  amount: link.amount,
  currency: link.currency,
  buyer_id: link.buyerId,
  metadata: link.metadata,
  expires_at: link.expiresAt.toISOString(),
  created_at: link.createdAt.toISOString(),
  updated_at: link.updatedAt.toISOString(),
});
