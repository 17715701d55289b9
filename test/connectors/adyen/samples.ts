import { createHmac } from 'node:crypto';
import type { AuthorizeRequest, PayingBuyer, Series } from '../../../src/connectors/interface/requests.ts';

export const KEY = '019af2b4-0000-7000-8000-000000000001';
export const MERCHANT_ACCOUNT = 'PaygraphTest';

/** Keys of 32 bytes, as Adyen makes them. */
export const HMAC_KEY = '44782DEF547AAA06C910C43932B1EB0C71FC68D9D0C057550C48EC2ACF6BA056';
export const OTHER_HMAC_KEY = '0102030405060708090A0B0C0D0E0F101112131415161718191A1B1C1D1E1F20';

export const CREDENTIALS = {
  api_key: 'AQE-test-api-key',
  merchant_account: MERCHANT_ACCOUNT,
  hmac_key: HMAC_KEY,
};

export const CARD = { number: '4111111111111111', expirationDate: '03/30', securityCode: '737' };

export const ALONE: Series = {
  store: false,
  tokenizes: false,
  source: 'ecommerce',
  merchantInitiated: false,
  isSubsequentPayment: false,
  schemeTransactionId: null,
};

export const NOBODY: PayingBuyer = {
  ...{ reference: null, firstName: null, lastName: null, email: null, phone: null },
  ...{ billingAddress: null, taxId: null, shipping: null },
};

export const RETURN_URL = 'https://paygraph.example/return/0123456789abcdef';

/** A payment of 12.99 EUR with nothing else. */
export const paymentOf = (changes: Partial<AuthorizeRequest> = {}): AuthorizeRequest => ({
  key: KEY,
  money: { amount: 1299, currency: 'EUR' },
  card: null,
  token: null,
  wallet: null,
  networkToken: null,
  bank: null,
  series: ALONE,
  approvalPage: null,
  returnUrl: RETURN_URL,
  notifyUrl: null,
  merchantReference: 'order-7',
  integrationClient: null,
  capture: false,
  installmentCount: null,
  cardNetwork: null,
  statementDescriptor: null,
  order: null,
  country: null,
  buyer: NOBODY,
  ipAddress: null,
  browserInfo: null,
  merchantProfile: null,
  threeDSecure: null,
  authentication: 'automatic',
  isRepeat: false,
  options: null,
  ...changes,
});

type Item = Readonly<Record<string, unknown>> & { readonly eventCode: string };

/** An item of a webhook about a payment of 12.99 EUR. */
export const itemOf = ({ eventCode, ...changes }: Item): Readonly<Record<string, unknown>> => ({
  amount: { currency: 'EUR', value: 1299 },
  eventCode,
  eventDate: '2026-11-21T12:00:00+01:00',
  merchantAccountCode: MERCHANT_ACCOUNT,
  merchantReference: KEY,
  paymentMethod: 'visa',
  pspReference: 'QFQTPCQ8HXSKGK82',
  reason: '',
  success: 'true',
  ...changes,
});

/** The signature of an item, computed apart from the connector. */
export function signatureOf(item: Readonly<Record<string, unknown>>, key = HMAC_KEY): string {
  const { value, currency } = item['amount'] as { readonly value: number; readonly currency: string };
  const {
    pspReference,
    originalReference = '',
    merchantAccountCode,
    merchantReference,
    eventCode,
    success,
  } = item as Readonly<Record<string, string>>;
  const signed = `${pspReference}:${originalReference}:${merchantAccountCode}:${merchantReference}:${value}:${currency}:${eventCode}:${success}`;
  return createHmac('sha256', Buffer.from(key, 'hex')).update(signed).digest('base64');
}

/** A whole webhook with signed items. */
export const bodyOf = (items: readonly Readonly<Record<string, unknown>>[], key = HMAC_KEY): Buffer =>
  Buffer.from(
    JSON.stringify({
      live: 'false',
      notificationItems: items.map((item) => ({
        NotificationRequestItem: {
          ...item,
          additionalData: {
            ...(item['additionalData'] as object | undefined),
            hmacSignature: signatureOf(item, key),
          },
        },
      })),
    }),
  );
