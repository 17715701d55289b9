import type { App } from '../../app.ts';
import type { Tx } from '../../platform/db.ts';
import { recordEvent } from '../event-log/index.ts';
import type { PaymentLink } from './payment-link.ts';

/** Records `payment-link.<change>` in the transaction of the change. The address is a secret and is not published. */
export async function recordLinkEvent(
  app: App,
  tx: Tx,
  change: 'created' | 'updated',
  link: PaymentLink,
): Promise<void> {
  await recordEvent(tx, {
    merchantAccountId: link.merchantAccountId,
    id: app.ids.uuid(),
    name: `payment-link.${change}`,
    createdAt: link.updatedAt,
    production: app.config.production,
    target: {
      type: 'payment-link',
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
    },
  });
}
