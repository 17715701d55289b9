import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestServer, type TestServer } from '../support/server.ts';
import { list, refusalOf } from './lists.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const EMPTY = 'Give at least one value, or leave the filter out.';
/** A test card without a scheme. A scheme's number is refused before the pattern of a field is checked. */
const CARD_NUMBER = '9000100111111117';

const many = (count: number): string[] => Array.from({ length: count }, (_, index) => `value ${index}`);

/** A refused filter, the path below the filter, and the message. */
const REFUSED: readonly [filter: object, path: string, message: string][] = [
  [{ id: CARD_NUMBER }, 'id', 'Must be the id of a transaction.'],
  [
    { reconciliationId: CARD_NUMBER },
    'reconciliationId',
    'Must be a reconciliation id: 22 letters and digits.',
  ],
  [
    { reconciliationId: 'z'.repeat(22) },
    'reconciliationId',
    'Must be a reconciliation id: 22 letters and digits.',
  ],
  [{ status: [] }, 'status', EMPTY],
  [{ amountEq: -1 }, 'amountEq', 'Must be 0 or more.'],
  [{ amountGte: 100_000_000 }, 'amountGte', 'Must be at most 99999999.'],
  [{ amountLte: -1 }, 'amountLte', 'Must be 0 or more.'],
  [{ amountGte: 2, amountLte: 1 }, 'amountGte', 'Must not be above amountLte.'],
  [{ currency: [] }, 'currency', EMPTY],
  [{ currency: ['USD', CARD_NUMBER] }, 'currency.1', 'Must be an ISO 4217 code such as USD.'],
  [{ country: [] }, 'country', EMPTY],
  [{ country: ['de'] }, 'country.0', 'Must be an ISO 3166-1 code such as US.'],
  [
    { createdAtGte: '2026-01-02T00:00:00Z', createdAtLte: '2026-01-01T00:00:00Z' },
    'createdAtGte',
    'Must not be above createdAtLte.',
  ],
  [
    { updatedAtGte: '2026-01-02T00:00:00Z', updatedAtLte: '2026-01-01T00:00:00Z' },
    'updatedAtGte',
    'Must not be above updatedAtLte.',
  ],
  [{ method: [] }, 'method', EMPTY],
  [{ method: [''] }, 'method.0', 'Must be 1 to 50 characters.'],
  [{ method: many(51) }, 'method', 'Give at most 50 values.'],
  [{ paymentServiceId: [] }, 'paymentServiceId', EMPTY],
  [{ paymentServiceId: [CARD_NUMBER] }, 'paymentServiceId.0', 'Must be the id of a payment service.'],
  [{ paymentServiceTransactionId: '' }, 'paymentServiceTransactionId', 'Must be 1 to 300 characters.'],
  [{ externalIdentifier: '' }, 'externalIdentifier', 'Must be 1 to 200 characters.'],
  [{ externalIdentifier: 'a\u0000' }, 'externalIdentifier', 'Must not contain control characters.'],
  [{ buyerId: CARD_NUMBER }, 'buyerId', 'Must be the id of a buyer.'],
  [{ paymentMethodId: CARD_NUMBER }, 'paymentMethodId', 'Must be the id of a stored payment method.'],
  [{ buyerExternalIdentifier: 'x'.repeat(201) }, 'buyerExternalIdentifier', 'Must be 1 to 200 characters.'],
  [{ buyerEmailAddress: '\ud800' }, 'buyerEmailAddress', 'Must not contain half a surrogate pair.'],
  [{ cardScheme: [] }, 'cardScheme', EMPTY],
  [{ cardFingerprint: '' }, 'cardFingerprint', 'Must be 1 to 200 characters.'],
  [{ cardBin: CARD_NUMBER }, 'cardBin', 'Must be the first eight digits.'],
  [{ cardLastFour: CARD_NUMBER }, 'cardLastFour', 'Must be the last four digits.'],
  [{ errorCode: [] }, 'errorCode', EMPTY],
  [{ paymentSource: [] }, 'paymentSource', EMPTY],
  [{ metadata: {} }, 'metadata', 'Give at least one pair, or leave the filter out.'],
  [{ metadata: Object.fromEntries(many(6).map((key) => [key, '1'])) }, 'metadata', 'Give at most 5 pairs.'],
  [{ search: '' }, 'search', 'Must be 1 to 200 characters.'],
  [{ search: 'x'.repeat(201) }, 'search', 'Must be 1 to 200 characters.'],
  [{ search: ' \n\t ' }, 'search', 'Must contain a word.'],
  [{ search: 'a b c d e f' }, 'search', 'Must contain at most 5 words.'],
  [{ search: 'a\u0000' }, 'search', 'Must not contain control characters.'],
];

describe('a filter of transactions', () => {
  it.each(REFUSED)('%j is refused at %s', async (filter, path, message) => {
    const error = await refusalOf(server, { filter });

    const at = ['filter', ...path.split('.')];
    expect(error.message).toBe(`${at.join('.')}: ${message}`);
    expect(error.extensions).toEqual({ code: 'INVALID_INPUT', refusals: [{ path: at, message }] });
    expect(JSON.stringify(error)).not.toContain(CARD_NUMBER);
  });

  it('lists everything that is wrong with it', async () => {
    const { extensions } = await refusalOf(server, { filter: { cardBin: '1', currency: [], search: ' ' } });

    expect(extensions.refusals).toMatchObject([
      { path: ['filter', 'currency'] },
      { path: ['filter', 'cardBin'] },
      { path: ['filter', 'search'] },
    ]);
  });

  it.each([
    [{ createdAtGte: '0000-01-01T00:00:00Z', createdAtLte: '9999-12-31T23:59:59Z' }],
    [{ search: 'a a a a a a' }],
    [{ amountGte: 5, amountLte: 5 }],
    [{ method: many(50) }],
  ])('%j is accepted', async (filter) => {
    expect((await list(server, { filter })).nodes).toEqual([]);
  });
});
