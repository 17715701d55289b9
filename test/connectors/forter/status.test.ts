import { describe, expect, it } from '@jest/globals';
import type { Happening, ReportRequest } from '../../../src/connectors/anti-fraud/report.ts';
import { tookReport } from '../../../src/connectors/forter/report.ts';
import { toldOf } from '../../../src/connectors/forter/status.ts';
import { BARE_CHECK, captureReportOf } from '../../support/check-request.ts';
import { claimBody, statusBody } from './schemas.ts';

const REPORT = captureReportOf(BARE_CHECK);

/** Returns the status call of a report, as Forter receives it. */
function statusOf(report: Partial<ReportRequest>, version = '2.1') {
  const told = toldOf({ ...REPORT, ...report }, version);
  expect(told?.path).toBe(`/v2/status/${BARE_CHECK.key}`);
  return statusBody.parse(received(told?.body));
}

/** Leaves out what is null, as the request does. */
const received = (body: unknown): unknown =>
  JSON.parse(JSON.stringify(body, (_, value: unknown) => (value === null ? undefined : value)));

const refunded = (amount: number) => ({ amounts: { ...REPORT.amounts, refunded: amount } });

describe('the status of an order', () => {
  it.each<[Happening, Partial<ReportRequest>, string]>([
    ['authorized', {}, 'PROCESSING'],
    ['captured', {}, 'COMPLETED'],
    ['declined', {}, 'CANCELED_BY_MERCHANT'],
    ['failed', {}, 'CANCELED_BY_MERCHANT'],
    ['released', {}, 'CANCELED_BY_MERCHANT'],
    ['accepted', {}, 'PROCESSING'],
    ['rejected', {}, 'CANCELED_BY_MERCHANT'],
    ['refunded', refunded(1299), 'RETURNED'],
    ['refunded', refunded(299), 'COMPLETED'],
  ])('that is %s (%j) is %s', (happening, more, updatedStatus) => {
    expect(statusOf({ happening, ...more })).toMatchObject({
      ...{ updatedStatus, updatedMerchantStatus: happening, eventId: REPORT.key },
      eventTime: REPORT.occurredAt.getTime(),
    });
  });

  it('has the rest of the amount after a refund in part alone', () => {
    const rest = { amountLocalCurrency: '10.00', currency: 'EUR' };

    expect(statusOf({ happening: 'refunded', ...refunded(299) }).updatedTotalAmount).toEqual(rest);
    expect(statusOf({ happening: 'refunded', ...refunded(1299) })).not.toHaveProperty('updatedTotalAmount');
    expect(statusOf({})).not.toHaveProperty('updatedTotalAmount');
  });

  it.each<[string, number, number]>([
    ['the whole part of the payment method', 999, 999],
    ['a part of it', 999, 200],
    ['a gift card', 999, 0],
    ['gift cards that paid alone', 0, 0],
  ])('of a payment with gift cards has no rest after a refund of %s', (_, captured, returned) => {
    const giftCard = 1299 - captured;
    const amounts = { ...REPORT.amounts, giftCard, authorized: captured, captured, refunded: returned };

    const told = statusOf({ happening: 'refunded', amounts });

    expect(told).toMatchObject({ updatedStatus: 'COMPLETED', updatedMerchantStatus: 'refunded' });
    expect(told).not.toHaveProperty('updatedTotalAmount');
  });

  it('has the part of the card beside gift cards', () => {
    const amounts = { ...REPORT.amounts, giftCard: 300, authorized: 999, captured: 999 };

    expect(statusOf({ amounts }).payment).toMatchObject([{ amount: { amountLocalCurrency: '9.99' } }]);
  });

  it('has the answer of the provider at the card, and in the newer version at the top, too', () => {
    const results = {
      ...{ authorizationCode: 'A1B2C3', processorResponseCode: '00', processorResponseText: 'Approved' },
      ...{ avsFullResult: 'Y', cvvResult: 'M' },
    };

    const [older, newer] = [statusOf({}), statusOf({}, '10.2')];

    expect(older.payment?.[0]?.creditCard?.verificationResults).toEqual(results);
    expect(older).not.toHaveProperty('verificationResults');
    expect(newer).toMatchObject({ payment: older.payment, verificationResults: results });
  });

  it('has the card of a wallet in the form of the wallet', () => {
    expect(statusOf({ wallet: 'apple_pay' }).payment).toMatchObject([{ applePay: { bin: '411111' } }]);
    expect(statusOf({ wallet: 'google_pay' }).payment).toMatchObject([{ androidPay: { bin: '411111' } }]);
  });

  it('has no card for a payment without one, and our code if the provider gave none', () => {
    const authorization = { ...REPORT.authorization, rawResponseCode: null, errorCode: 'expired_card' };

    expect(statusOf({ card: null })).not.toHaveProperty('payment');
    expect(statusOf({ authorization }, '10.2').verificationResults).toMatchObject({
      processorResponseCode: 'expired_card',
    });
  });
});

const DISPUTE: NonNullable<ReportRequest['dispute']> = {
  ...{ id: 'ours', reference: 'dp_1', stage: 'chargeback', status: 'needs_response' },
  ...{ reason: 'fraudulent', reasonCode: '10.4', money: { amount: 500, currency: 'EUR' } },
  respondBy: new Date('2026-12-01T00:00:00Z'),
  openedAt: new Date('2026-11-22T00:00:00Z'),
};

describe('a dispute', () => {
  it.each([
    ['needs_response', 'OPEN'],
    ['under_review', 'OPEN'],
    ['expired', 'OPEN'],
    ['won', 'WON'],
    ['lost', 'LOST'],
    ['accepted', 'LOST'],
    ['closed', 'OPEN'],
  ] as const)('that is %s is %s', (status, expected) => {
    const told = toldOf({ ...REPORT, happening: 'disputed', dispute: { ...DISPUTE, status } }, '2.1');

    expect(told?.path).toBe('/v2/claims');
    expect(claimBody.parse(received(told?.body))).toEqual({
      ...{ orderId: BARE_CHECK.key, processorChargebackCaseId: 'dp_1', type: 'CHARGEBACK' },
      ...{ status: expected, externalClaimStatus: status, sourceType: 'PROCESSOR_CB', reasonCode: '10.4' },
      amount: { amountLocalCurrency: '5.00', currency: 'EUR' },
      ...{ issueDate: DISPUTE.openedAt.getTime(), dueDate: DISPUTE.respondBy?.getTime() },
    });
  });

  it('that is an inquiry is not told', () => {
    const dispute = { ...DISPUTE, stage: 'inquiry' } as const;

    expect(toldOf({ ...REPORT, happening: 'disputed', dispute }, '2.1')).toBeNull();
  });
});

describe('the answer to a report', () => {
  it.each([
    [{ answer: { status: 'success' } }, { kind: 'done' }],
    [{ answer: {} }, { kind: 'done' }],
    [{ answer: { status: 'failed', message: 'No' } }, { kind: 'refused', reason: 'No' }],
    [{ answer: { status: 'failed' } }, { kind: 'refused', reason: 'failed' }],
    [{ answer: { status: 'FAILED', message: 7 } }, { kind: 'refused', reason: '7' }],
    [{ answer: { status: 200 } }, { kind: 'done' }],
    [{ answer: 'OK' }, { kind: 'done' }],
    [{ answer: null }, { kind: 'done' }],
    [
      { cause: 'server_error', refused: 404 },
      { kind: 'refused', reason: 'HTTP 404' },
    ],
    [
      { cause: 'server_error', refused: 401 },
      { kind: 'unknown', cause: 'server_error' },
    ],
    [
      { cause: 'server_error', refused: 403 },
      { kind: 'unknown', cause: 'server_error' },
    ],
    [
      { cause: 'server_error', refused: 0 },
      { kind: 'unknown', cause: 'server_error' },
    ],
    [{ cause: 'timeout' }, { kind: 'unknown', cause: 'timeout' }],
  ] as const)('%j is %j', (exchanged, expected) => {
    expect(tookReport(exchanged)).toEqual(expected);
  });
});
