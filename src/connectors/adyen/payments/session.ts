import type { CallContext, OpenedSession, SessionRequest } from '../../door.ts';

/**
 * Opens a session for Adyen's software in the buyer's client. The answer of the payment has the action for the client already, so
 * no call is needed.
 */
export const openSession = (
  { credentials }: Pick<CallContext, 'credentials'>,
  { reference, money, capture }: SessionRequest,
): OpenedSession => ({
  kind: 'opened',
  atProvider: true,
  data: {
    orderId: reference,
    clientId: credentials['client_key'] ?? '',
    merchantId: credentials['merchant_account'] ?? '',
    currency: money.currency,
    intent: capture ? 'capture' : 'authorize',
    fundingSource: 'card',
  },
});
