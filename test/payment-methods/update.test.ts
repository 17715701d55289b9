import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { createShiftedClock } from '../support/shifted-clock.ts';
import { CARD, startStoredHarness, type Input, type StoredHarness } from './stored-harness.ts';

let harness: StoredHarness;
let rival: { readonly id: string; readonly token: string };

beforeAll(async () => {
  harness = await startStoredHarness();
  rival = await harness.server.createMerchantAccount();
});
afterAll(() => harness.stop());

const card = { instrument: { card: CARD } };

describe('an update of a payment method', () => {
  it('publishes an event, and keeps the id, the number and the fingerprint', async () => {
    const { id, fingerprint } = await harness.stored(card);

    const { paymentMethod } = await harness.update(id, { transactionLinkId: 'link-1' });
    await harness.update(id, { transactionLinkId: null });

    expect(paymentMethod).toMatchObject({ id, fingerprint, transactionLinkId: 'link-1' });
    expect(await harness.read(id)).toMatchObject({ transactionLinkId: null });
    expect((await harness.events(id)).map(([name]) => name)).toEqual([
      'payment-method.created',
      'payment-method.updated',
      'payment-method.updated',
    ]);
  });

  it('has no default scheme where the payment method has none', async () => {
    const { id } = await harness.stored({ instrument: { card: { ...CARD, number: '9000100111111111' } } });

    expect(await harness.update(id, { schemeTransactionId: 'new' })).toMatchObject({
      paymentMethod: { schemeTransactionId: 'new', schemeTransactionIdScheme: null },
    });
  });

  it.each<[string, Input, string]>([
    ['an expiration date in the past', { expirationDate: '01/20' }, 'expirationDate'],
    ['a month that is none', { expirationDate: '00/40' }, 'expirationDate'],
    ['a date of another form', { expirationDate: '2040-01' }, 'expirationDate'],
    ['an identifier of no characters', { schemeTransactionId: '' }, 'schemeTransactionId'],
    ['an identifier that is too long', { schemeTransactionId: 'x'.repeat(101) }, 'schemeTransactionId'],
    ['a link that is too long', { transactionLinkId: 'x'.repeat(101) }, 'transactionLinkId'],
  ])('refuses %s and changes nothing', async (_, input, path) => {
    const before = await harness.stored(card);

    expect(await harness.update(before.id, input)).toMatchObject({
      paymentMethod: null,
      userErrors: [{ code: 'INVALID_INPUT', path: ['input', path] }],
    });
    expect(await harness.read(before.id)).toEqual(before);
    expect(await harness.events(before.id)).toHaveLength(1);
  });

  it('refuses an expiration date of a method that does not expire', async () => {
    const accountHolder = { companyName: 'Acme' };
    const bankAccount = { scheme: 'SEPA', accountNumber: 'DE89370400440532013000', accountHolder };
    const { id } = await harness.stored({ instrument: { bankAccount } });

    expect(await harness.update(id, { expirationDate: '12/40' })).toMatchObject({
      userErrors: [{ code: 'INVALID_INPUT', path: ['input', 'expirationDate'] }],
    });
    expect(await harness.update(id, { schemeTransactionId: 'x' })).toMatchObject({ userErrors: [] });
  });

  it('loses nothing to a concurrent one', async () => {
    const { id } = await harness.stored(card);
    for (let round = 0; round < 5; round += 1) {
      await Promise.all([
        harness.update(id, { schemeTransactionId: `s${round}` }),
        harness.update(id, { transactionLinkId: `l${round}` }),
        harness.update(id, { expirationDate: `0${round + 1}/41` }),
      ]);
      expect(await harness.read(id)).toMatchObject({
        schemeTransactionId: `s${round}`,
        transactionLinkId: `l${round}`,
        expirationDate: `0${round + 1}/41`,
      });
    }
  });

  it.each([
    ['unknown', () => randomUUID(), null],
    ['no id', () => 'mine', null],
    ["another merchant account's", async () => (await harness.stored(card)).id, 'rival'],
  ])('answers alike for an id that is %s', async (_, idOf, who) => {
    const id = await idOf();
    const token = who === null ? undefined : rival.token;

    expect(await harness.update(id, { transactionLinkId: 'x' }, token)).toMatchObject({
      paymentMethod: null,
      userErrors: [{ code: 'NOT_FOUND', path: ['id'] }],
    });
    expect(await harness.read(id, token)).toBeNull();
  });
});

describe('time', () => {
  it('invalidates an expiration date with the end of its month, in UTC', async () => {
    const clock = createShiftedClock();
    const timely = await startStoredHarness({ clock });
    try {
      const [year = '', month = ''] = clock.now().toISOString().slice(2, 7).split('-');
      const thisMonth = { expirationDate: `${month}/${year}` };
      const { id } = await timely.stored(card);

      expect(await timely.update(id, thisMonth)).toMatchObject({ paymentMethod: thisMonth });
      clock.advance(32 * 86_400_000);
      const token = await timely.server.mint();
      expect(await timely.update(id, thisMonth, token)).toMatchObject({
        userErrors: [{ path: ['input', 'expirationDate'] }],
      });
    } finally {
      await timely.stop();
    }
  });
});
