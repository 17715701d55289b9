import type { App } from '../../../app.ts';
import type { Tx } from '../../../platform/database/db.ts';
import { recordEvent, type NewEvent, type Target } from '../../event-log/index.ts';
import type { PaymentMethod } from '../model/payment-method.ts';

type Change = 'created' | 'updated' | 'deleted' | 'paused' | 'resumed';

/**
 * Writes `payment-method.<change>` in the transaction of the change. The event holds no digits or names:
 * receivers read the payment method.
 */
export async function recordPaymentMethodEvent(
  app: App,
  tx: Tx,
  change: Change,
  paymentMethod: PaymentMethod,
): Promise<void> {
  const target = targetOf(paymentMethod);
  await record(app, tx, paymentMethod, {
    name: `payment-method.${change}`,
    target: change === 'deleted' ? { ...target, status: change } : target,
  });
}

/** Writes `recurring.token.<change>` in the transaction that stores or disables the token of a payment service. */
export const recordTokenEvent = (
  app: App,
  tx: Tx,
  change: 'created' | 'disabled',
  { paymentMethod, paymentServiceId }: TokenOwner,
): Promise<void> =>
  record(app, tx, paymentMethod, {
    name: `recurring.token.${change}`,
    target: { ...targetOf(paymentMethod), payment_service_id: paymentServiceId },
  });

type TokenOwner = { readonly paymentMethod: PaymentMethod; readonly paymentServiceId: string };

type Notified = NameAndTarget<NewEvent>;
type NameAndTarget<Event> = Event extends NewEvent ? Pick<Event, 'name' | 'target'> : never;

const record = (app: App, tx: Tx, { merchantAccountId }: PaymentMethod, notified: Notified): Promise<void> =>
  recordEvent(tx, {
    merchantAccountId,
    id: app.ids.uuid(),
    createdAt: app.clock.now(),
    production: app.config.production,
    ...notified,
  });

/**
 * The short form of a payment method. `store/payment-expressions.ts` builds the same form in SQL for events of
 * payments.
 */
const targetOf = (paymentMethod: PaymentMethod): Target<'payment-method'> => ({
  type: 'payment-method',
  id: paymentMethod.id,
  method: paymentMethod.method,
  status: paymentMethod.status,
  buyer_id: paymentMethod.buyerId,
  external_identifier: paymentMethod.externalIdentifier,
  created_at: paymentMethod.createdAt.toISOString(),
  updated_at: paymentMethod.updatedAt.toISOString(),
});
