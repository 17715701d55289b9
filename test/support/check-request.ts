import type { CheckRequest } from '../../src/connectors/anti-fraud/check-request.ts';
import type { ReportRequest } from '../../src/connectors/anti-fraud/report.ts';

/** A check of a payment about which the merchant said nothing more than the amount. */
export const BARE_CHECK: CheckRequest = {
  key: '0199aaaa-0000-7000-8000-000000000001',
  money: { amount: 1299, currency: 'EUR' },
  giftCardAmount: 0,
  requestedAt: new Date('2026-11-22T09:00:00Z'),
  buyer: null,
  shipping: null,
  cart: [],
  method: 'card',
  wallet: null,
  card: null,
  authentication: null,
  source: 'ecommerce',
  client: null,
  ipAddress: null,
  browser: null,
  deviceFingerprint: null,
  options: null,
};

/** A stranger whose e-mail address alone is known. */
export const strangerAt = (emailAddress: string | null): CheckRequest['buyer'] => ({
  ...{ displayName: null, externalIdentifier: null, account: null },
  billingDetails: { emailAddress, firstName: null, lastName: null, phoneNumber: null, address: null },
});

/** A card as a check names it. */
export const CHECKED_CARD: NonNullable<CheckRequest['card']> = {
  ...{ bin: '411111', lastFour: '1111', fingerprint: 'digest-of-the-number' },
  ...{ expirationDate: '03/30', scheme: 'visa' },
};

/** A report that the payment of a check was captured. */
export const captureReportOf = ({ key: checkKey }: Pick<CheckRequest, 'key'>): ReportRequest => ({
  ...{ key: crypto.randomUUID(), checkKey, reference: null, happening: 'captured' },
  occurredAt: new Date('2026-11-22T10:00:00Z'),
  amounts: { currency: 'EUR', amount: 1299, giftCard: 0, authorized: 1299, captured: 1299, refunded: 0 },
  authorization: {
    ...{ reference: 'pay_1', errorCode: null, rawResponseCode: '00', rawResponseDescription: 'Approved' },
    ...{ authResponseCode: 'A1B2C3', avsResponseCode: 'match', cvvResponseCode: 'match' },
  },
  ...{ authentication: null, wallet: null, card: CHECKED_CARD, dispute: null },
});
