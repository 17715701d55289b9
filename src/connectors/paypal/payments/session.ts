import type { CallContext, OpenedSession, SessionRequest } from '../../door.ts';

/** Opens a session for PayPal's software in the buyer's client. The order exists already, so no call is needed. */
export const openSession = (
  { credentials }: Pick<CallContext, 'credentials'>,
  { reference, money, capture }: SessionRequest,
): OpenedSession => ({
  kind: 'opened',
  atProvider: true,
  data: {
    orderId: reference,
    clientId: credentials['client_id'] ?? '',
    merchantId: credentials['merchant_id'] ?? '',
    currency: money.currency,
    intent: capture ? 'capture' : 'authorize',
    fundingSource: 'paypal',
  },
});
