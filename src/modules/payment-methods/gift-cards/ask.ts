import type { App } from '../../../app.ts';
import { askBalance } from '../../../connectors/calls/call-gift-card.ts';
import type { GiftCardBalance, GiftCardSecrets } from '../../../connectors/interface/gift-cards.ts';
import { invalidInput, notFound, type InvalidInput, type NotFound } from '../../../kernel/refusal.ts';
import { ok, refuse, type Result } from '../../../kernel/result.ts';
import { findReadyServices, openCall, type ConnectionRow } from '../../payment-services/index.ts';

/**
 * Chooses the payment service for a gift card that is not stored.
 *
 * Takes the requested service, or the first service with the method `gift-card`. Refuses an inactive service,
 * and refuses if no service is active.
 */
export async function chooseGiftCardService(
  app: App,
  merchantAccountId: string,
  paymentServiceId: string | null,
  path: readonly string[] = ['input', 'paymentServiceId'],
): Promise<Result<ConnectionRow, InvalidInput | NotFound>> {
  const ready = await findReadyServices(app, merchantAccountId, 'gift-card');
  const chosen = paymentServiceId === null ? ready[0] : ready.find(({ id }) => id === paymentServiceId);
  if (chosen) return ok(chosen);
  return refuse(
    paymentServiceId === null
      ? invalidInput(path, NO_SERVICE)
      : notFound('active payment service of the method gift-card', path),
  );
}

const NO_SERVICE =
  'No active payment service has the method gift-card. Create one with createPaymentService.';

/** Asks a service for the balance of a card. Call outside a transaction. */
export async function askService(
  app: App,
  merchantAccountId: string,
  row: ConnectionRow,
  secrets: GiftCardSecrets,
): Promise<GiftCardBalance> {
  const { connector, context } = await openCall(app, merchantAccountId, row);
  return await askBalance(connector, context, app.log, secrets);
}
