import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  beginPayment,
  carryOut,
  finishDue,
  finishPayment,
  giveUp,
} from '../../src/modules/payment-links/index.ts';
import { reconcileDue } from '../../src/modules/transactions/index.ts';
import { holdFirstAt } from '../support/hold.ts';
import { CARD, startLinks, type Link, type LinksHouse } from './house.ts';

const LEASE_MS = 15_000;

let house: LinksHouse;
beforeAll(async () => void (house = await startLinks('mock-acquirer')));
afterAll(() => house.stop());

const later = async (ms: number): Promise<void> => {
  house.clock.advance(ms);
  while (await reconcileDue(house.server.app));
  while (await finishDue(house.server.app));
};

const statusOf = async ({ id }: Link): Promise<string> => {
  const [row] = await house.rows<{ status: string }>(
    'SELECT status FROM payment_link WHERE id = $1::uuid',
    id,
  );
  return row?.status ?? '';
};
const transactionsOf = ({ id }: Link) =>
  house.rows<{ id: string; status: string }>(
    'SELECT id, status FROM transaction WHERE payment_link_id = $1::uuid ORDER BY id',
    id,
  );
const openAttempts = ({ id }: Link) =>
  house.rows('SELECT id FROM payment_link_attempt WHERE payment_link_id = $1::uuid AND ended_at IS NULL', id);
/** Counts the payments of a link in the provider's books. */
const bookedFor = async ({ id }: Link): Promise<number> => {
  const operations = await house.rows<{ id: string }>(
    `SELECT o.id FROM operation o JOIN transaction t ON t.id = o.transaction_id WHERE t.payment_link_id = $1::uuid`,
    id,
  );
  return operations.filter((each) => house.provider.books.get(each.id)?.result === 'approved').length;
};

const BEGUN = ['payment-link.created active', 'payment-link.updated processing'];

describe('paying a link', () => {
  it('creates a transaction with the fields of the link, and completes the link', async () => {
    const link = await house.made({
      ...{ intent: 'CAPTURE', externalIdentifier: 'order-7', metadata: { cart: '7' }, installmentCount: 3 },
      buyer: { displayName: 'Jane', billingDetails: { address: { postalCode: '12345' } } },
      cartItems: [{ name: 'Shoe', quantity: 1, unitAmount: 1299 }],
      statementDescriptor: { name: 'Shop 12' },
    });
    const paid = await house.pay(link);

    expect(paid).toMatchObject({ ok: true, value: { link: { id: link.id, status: 'completed' } } });
    const shown = await house.read(link.id);
    expect(shown).toMatchObject({ status: 'COMPLETED', transactions: [{ status: 'CAPTURE_SUCCEEDED' }] });
    const [transaction] = shown?.transactions ?? [];
    expect(transaction).toMatchObject({ paymentLinkId: link.id, paymentLink: { id: link.id } });
    const found = await house.ask<{ nodes: readonly object[] }>(
      `query ($id: ID!) { answer: transactions(filter: { paymentLinkId: $id }) { nodes {
        id amount currency country intent externalIdentifier metadata installmentCount store
        buyer { displayName } cartItems { name } statementDescriptor { name } } } }`,
      { id: link.id },
    );
    expect(found.nodes).toEqual([
      {
        ...{
          id: transaction?.id,
          amount: 1299,
          currency: 'USD',
          country: 'US',
          intent: 'CAPTURE',
          store: false,
        },
        ...{ externalIdentifier: 'order-7', metadata: { cart: '7' }, installmentCount: 3 },
        ...{ buyer: { displayName: 'Jane' }, cartItems: [{ name: 'Shoe' }] },
        statementDescriptor: { name: 'Shop 12' },
      },
    ]);
    expect(await house.told(link.id)).toEqual([...BEGUN, 'payment-link.updated completed']);
    const [event] = await house.rows<{ payload: string }>(
      'SELECT payload FROM event WHERE target_id = $1',
      transaction?.id,
    );
    expect(JSON.parse(event?.payload ?? '')).toMatchObject({ target: { payment_link_id: link.id } });
  });

  it('is possible once, and later refused without a call', async () => {
    const link = await house.made();
    await house.pay(link);
    const calls = house.provider.calls.length;

    expect(await house.pay(link)).toEqual({
      ...{ ok: false, refusals: [{ kind: 'PaymentLinkNotActive', status: 'completed' }] },
    });
    expect(await house.expire(link.id)).toMatchObject({
      paymentLink: null,
      userErrors: [
        { __typename: 'PaymentLinkNotActive', code: 'OPERATION_NOT_ALLOWED', status: 'COMPLETED' },
      ],
    });
    expect([house.provider.calls.length, await bookedFor(link)]).toEqual([calls, 1]);
  });

  it('makes one transaction when fifty submit at once', async () => {
    const link = await house.made();
    const calls = house.provider.calls.length;
    const answers = await Promise.all(Array.from({ length: 50 }, () => house.pay(link)));

    const refused = answers.flatMap((answer) => (answer.ok ? [] : answer.refusals));
    expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
    expect(new Set(refused.map(({ kind }) => kind))).toEqual(new Set(['PaymentLinkNotActive']));
    expect(await transactionsOf(link)).toHaveLength(1);
    expect([house.provider.calls.length - calls, await bookedFor(link)]).toEqual([1, 1]);
    expect(await house.told(link.id)).toEqual([...BEGUN, 'payment-link.updated completed']);
  });

  it.each([
    ['declined', 200_011, 'authorization_declined'],
    ['failed', 300_013, 'authorization_failed'],
  ])('leaves the link active when it is %s, to be paid again', async (_, amount, status) => {
    const link = await house.made({ amount });
    const first = await house.pay(link);

    expect(first).toMatchObject({ ok: true, value: { link: { status: 'active' }, transaction: { status } } });
    await house.rows('UPDATE payment_link SET amount = 1299 WHERE id = $1::uuid', link.id);
    expect(await house.pay(link)).toMatchObject({ ok: true, value: { link: { status: 'completed' } } });
    expect(await house.read(link.id)).toMatchObject({
      ...{ status: 'COMPLETED', transactions: [{ status: 'AUTHORIZATION_SUCCEEDED' }, {}] },
    });
    expect([await bookedFor(link), await openAttempts(link)]).toEqual([1, []]);
  });

  it('refuses an invalid card before the claim of the link, and publishes nothing', async () => {
    const link = await house.made();
    const answer = await house.pay(link, { number: '4111', expirationDate: '01/20' });

    expect(answer).toMatchObject({
      ok: false,
      refusals: [
        { kind: 'InvalidInput', path: ['input', 'paymentMethod', 'card', 'number'] },
        { kind: 'InvalidInput', path: ['input', 'paymentMethod', 'card', 'expirationDate'] },
      ],
    });
    expect(await house.told(link.id)).toEqual(['payment-link.created active']);
  });

  it('that no service accepts leaves the link active, and no other trace', async () => {
    const link = await house.made({ currency: 'EUR' });

    expect(await house.pay(link)).toEqual({ ok: false, refusals: [{ kind: 'NoPaymentService' }] });
    expect(await statusOf(link)).toBe('active');
    expect(
      await house.rows('SELECT id FROM payment_link_attempt WHERE payment_link_id = $1::uuid', link.id),
    ).toEqual([]);
  });
});

describe('a payment with an unknown outcome', () => {
  it('blocks the link until the outcome is known', async () => {
    const link = await house.made();
    house.provider.failNext('lose_answer');

    expect(await house.pay(link)).toMatchObject({ ok: true, value: { link: { status: 'processing' } } });
    expect(await house.pay(link)).toMatchObject({ refusals: [{ status: 'processing' }] });
    expect(await house.expire(link.id)).toMatchObject({ userErrors: [{ status: 'PROCESSING' }] });
    await later(3_000);
    await later(2_000);
    expect([await statusOf(link), await bookedFor(link)]).toEqual(['completed', 1]);
  });

  it.each([
    ['AUTHORIZE', 600_001, 'completed'],
    ['AUTHORIZE', 600_002, 'active'],
    ['CAPTURE', 600_001, 'completed'],
    ['CAPTURE', 600_002, 'active'],
  ])('(%s of %d, decided later) ends %s', async (intent, amount, status) => {
    const link = await house.made({ intent, amount });

    expect(await house.pay(link)).toMatchObject({ ok: true, value: { link: { status: 'processing' } } });
    await later(LEASE_MS);
    expect(await statusOf(link)).toBe('processing');
    await later(60_000);
    await later(60_000);
    expect(await statusOf(link)).toBe(status);
    expect((await house.told(link.id)).slice(2)).toEqual([`payment-link.updated ${status}`]);
  });

  it.each([
    [600_001, 'completed'],
    [600_002, 'expired'],
  ])('(of %d) that outlives its link leaves it %s', async (amount, status) => {
    const link = await house.made({ amount });
    await house.pay(link);
    await house.rows('UPDATE payment_link SET expires_at = now() WHERE id = $1::uuid', link.id);

    expect(await house.read(link.id)).toMatchObject({ status: 'PROCESSING' });
    await later(60_000);
    await later(60_000);
    expect(await statusOf(link)).toBe(status);
    expect((await house.told(link.id)).slice(2)).toEqual([`payment-link.updated ${status}`]);
  });
});

describe('a slow attempt', () => {
  it('is given up, and creates no transaction when it continues', async () => {
    const link = await house.made();
    const held = holdFirstAt('payment_link.claimed');
    const slow = house.pay(link);
    await held.reached;
    await later(LEASE_MS - 5_000);
    expect(await statusOf(link)).toBe('processing');
    await later(5_000);
    expect(await statusOf(link)).toBe('active');
    expect(await house.pay(link)).toMatchObject({ ok: true, value: { link: { status: 'completed' } } });
    held.go();

    expect(await slow).toEqual({ ok: false, refusals: [{ kind: 'AttemptGivenUp' }] });
    expect([await statusOf(link), await bookedFor(link)]).toEqual(['completed', 1]);
    expect(await transactionsOf(link)).toHaveLength(1);
  });

  it('is not given up once it has its transaction, whoever asks for it', async () => {
    const link = await house.made();
    const begun = await beginPayment(house.server.app, await house.found(link));
    if (!begun.ok) throw new Error('The link is not active');
    const held = holdFirstAt('authorize.claimed');
    const paying = carryOut(house.server.app, begun.value, { paymentMethod: { card: CARD } });
    await held.reached;

    expect(await giveUp(house.server.app, begun.value.attempt)).toMatchObject({ status: 'processing' });
    expect(await openAttempts(link)).toHaveLength(1);
    held.go();
    await paying;
    const finished = await Promise.all(
      Array.from({ length: 5 }, () => finishPayment(house.server.app, begun.value.attempt)),
    );
    expect(new Set(finished.map(({ status }) => status))).toEqual(new Set(['completed']));
    expect(await house.told(link.id)).toEqual([...BEGUN, 'payment-link.updated completed']);
  });

  it('makes one transaction, however often it runs', async () => {
    const link = await house.made();
    const begun = await beginPayment(house.server.app, await house.found(link));
    if (!begun.ok) throw new Error('The link is not active');
    const submission = { paymentMethod: { card: CARD } };
    const made = await Promise.all(
      Array.from({ length: 5 }, () => carryOut(house.server.app, begun.value, submission)),
    );

    expect(new Set(made.map((each) => (each.ok ? each.value.id : null))).size).toBe(1);
    expect(await bookedFor(link)).toBe(1);
    await finishPayment(house.server.app, begun.value.attempt);
  });
});
