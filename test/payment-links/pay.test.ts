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
import { CARD, startLinks, type Link, type LinksHarness } from './harness.ts';

const LEASE_MS = 15_000;

let harness: LinksHarness;
beforeAll(async () => void (harness = await startLinks('mock-acquirer')));
afterAll(() => harness.stop());

const later = async (ms: number): Promise<void> => {
  harness.clock.advance(ms);
  while (await reconcileDue(harness.server.app));
  while (await finishDue(harness.server.app));
};

const statusOf = async ({ id }: Link): Promise<string> => {
  const [row] = await harness.rows<{ status: string }>(
    'SELECT status FROM payment_link WHERE id = $1::uuid',
    id,
  );
  return row?.status ?? '';
};
const transactionsOf = ({ id }: Link) =>
  harness.rows<{ id: string; status: string }>(
    'SELECT id, status FROM transaction WHERE payment_link_id = $1::uuid ORDER BY id',
    id,
  );
const openAttempts = ({ id }: Link) =>
  harness.rows(
    'SELECT id FROM payment_link_attempt WHERE payment_link_id = $1::uuid AND ended_at IS NULL',
    id,
  );
/** Counts the payments of a link in the provider's books. */
const bookedFor = async ({ id }: Link): Promise<number> => {
  const operations = await harness.rows<{ key: string }>(
    `SELECT coalesce(o.provider_key, o.id) AS key FROM operation o JOIN transaction t ON t.id = o.transaction_id WHERE t.payment_link_id = $1::uuid`,
    id,
  );
  return operations.filter((each) => harness.provider.books.get(each.key)?.result === 'approved').length;
};

const BEGUN = ['payment-link.created active', 'payment-link.updated processing'];

describe('paying a link', () => {
  it('creates a transaction with the fields of the link, and completes the link', async () => {
    const link = await harness.made({
      ...{ intent: 'CAPTURE', externalIdentifier: 'order-7', metadata: { cart: '7' }, installmentCount: 3 },
      buyer: { displayName: 'Jane', billingDetails: { address: { postalCode: '12345' } } },
      cartItems: [{ name: 'Shoe', quantity: 1, unitAmount: 1299 }],
      statementDescriptor: { name: 'Shop 12' },
    });
    const paid = await harness.pay(link);

    expect(paid).toMatchObject({ ok: true, value: { link: { id: link.id, status: 'completed' } } });
    const shown = await harness.read(link.id);
    expect(shown).toMatchObject({ status: 'COMPLETED', transactions: [{ status: 'CAPTURE_SUCCEEDED' }] });
    const [transaction] = shown?.transactions ?? [];
    expect(transaction).toMatchObject({ paymentLinkId: link.id, paymentLink: { id: link.id } });
    const found = await harness.ask<{ nodes: readonly object[] }>(
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
    expect(await harness.notified(link.id)).toEqual([...BEGUN, 'payment-link.updated completed']);
    const [event] = await harness.rows<{ payload: string }>(
      'SELECT payload FROM event WHERE target_id = $1',
      transaction?.id,
    );
    expect(JSON.parse(event?.payload ?? '')).toMatchObject({ target: { payment_link_id: link.id } });
  });

  it('is possible once, and later refused without a call', async () => {
    const link = await harness.made();
    await harness.pay(link);
    const calls = harness.provider.calls.length;

    expect(await harness.pay(link)).toEqual({
      ...{ ok: false, refusals: [{ kind: 'PaymentLinkNotActive', status: 'completed' }] },
    });
    expect(await harness.expire(link.id)).toMatchObject({
      paymentLink: null,
      userErrors: [
        { __typename: 'PaymentLinkNotActive', code: 'OPERATION_NOT_ALLOWED', status: 'COMPLETED' },
      ],
    });
    expect([harness.provider.calls.length, await bookedFor(link)]).toEqual([calls, 1]);
  });

  it('makes one transaction when fifty submit at once', async () => {
    const link = await harness.made();
    const calls = harness.provider.calls.length;
    const answers = await Promise.all(Array.from({ length: 50 }, () => harness.pay(link)));

    const refused = answers.flatMap((answer) => (answer.ok ? [] : answer.refusals));
    expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
    expect(new Set(refused.map(({ kind }) => kind))).toEqual(new Set(['PaymentLinkNotActive']));
    expect(await transactionsOf(link)).toHaveLength(1);
    expect([harness.provider.calls.length - calls, await bookedFor(link)]).toEqual([1, 1]);
    expect(await harness.notified(link.id)).toEqual([...BEGUN, 'payment-link.updated completed']);
  });

  it.each([
    ['declined', 200_011, 'authorization_declined'],
    ['failed', 300_013, 'authorization_failed'],
  ])('leaves the link active when it is %s, to be paid again', async (_, amount, status) => {
    const link = await harness.made({ amount });
    const first = await harness.pay(link);

    expect(first).toMatchObject({ ok: true, value: { link: { status: 'active' }, transaction: { status } } });
    await harness.rows('UPDATE payment_link SET amount = 1299 WHERE id = $1::uuid', link.id);
    expect(await harness.pay(link)).toMatchObject({ ok: true, value: { link: { status: 'completed' } } });
    expect(await harness.read(link.id)).toMatchObject({
      ...{ status: 'COMPLETED', transactions: [{ status: 'AUTHORIZATION_SUCCEEDED' }, {}] },
    });
    expect([await bookedFor(link), await openAttempts(link)]).toEqual([1, []]);
  });

  it('refuses an invalid card before the claim of the link, and publishes nothing', async () => {
    const link = await harness.made();
    const answer = await harness.pay(link, { number: '4111', expirationDate: '01/20' });

    expect(answer).toMatchObject({
      ok: false,
      refusals: [
        { kind: 'InvalidInput', path: ['input', 'paymentMethod', 'card', 'number'] },
        { kind: 'InvalidInput', path: ['input', 'paymentMethod', 'card', 'expirationDate'] },
      ],
    });
    expect(await harness.notified(link.id)).toEqual(['payment-link.created active']);
  });

  it('that no service accepts leaves the link active, and no other trace', async () => {
    const link = await harness.made({ currency: 'EUR' });

    expect(await harness.pay(link)).toEqual({
      ok: false,
      refusals: [
        {
          kind: 'NoPaymentService',
          passedOver: [
            {
              paymentServiceId: expect.any(String),
              codes: ['currency'],
              message: 'The payment service does not accept the currency.',
            },
          ],
        },
      ],
    });
    expect(await statusOf(link)).toBe('active');
    expect(
      await harness.rows('SELECT id FROM payment_link_attempt WHERE payment_link_id = $1::uuid', link.id),
    ).toEqual([]);
  });
});

describe('a payment with an unknown outcome', () => {
  it('blocks the link until the outcome is known', async () => {
    const link = await harness.made();
    harness.provider.failNext('lose_answer');

    expect(await harness.pay(link)).toMatchObject({ ok: true, value: { link: { status: 'processing' } } });
    expect(await harness.pay(link)).toMatchObject({ refusals: [{ status: 'processing' }] });
    expect(await harness.expire(link.id)).toMatchObject({ userErrors: [{ status: 'PROCESSING' }] });
    // On a busy machine a look-up may time out, and is then made again later.
    for (let round = 0; round < 5 && (await statusOf(link)) === 'processing'; round++)
      await later(5_000 << round);
    expect([await statusOf(link), await bookedFor(link)]).toEqual(['completed', 1]);
  });

  it.each([
    ['AUTHORIZE', 600_001, 'completed'],
    ['AUTHORIZE', 600_002, 'active'],
    ['CAPTURE', 600_001, 'completed'],
    ['CAPTURE', 600_002, 'active'],
  ])('(%s of %d, decided later) ends %s', async (intent, amount, status) => {
    const link = await harness.made({ intent, amount });

    expect(await harness.pay(link)).toMatchObject({ ok: true, value: { link: { status: 'processing' } } });
    await later(LEASE_MS);
    expect(await statusOf(link)).toBe('processing');
    await later(60_000);
    await later(60_000);
    expect(await statusOf(link)).toBe(status);
    expect((await harness.notified(link.id)).slice(2)).toEqual([`payment-link.updated ${status}`]);
  });

  it.each([
    [600_001, 'completed'],
    [600_002, 'expired'],
  ])('(of %d) that outlives its link leaves it %s', async (amount, status) => {
    const link = await harness.made({ amount });
    await harness.pay(link);
    await harness.rows('UPDATE payment_link SET expires_at = now() WHERE id = $1::uuid', link.id);

    expect(await harness.read(link.id)).toMatchObject({ status: 'PROCESSING' });
    await later(60_000);
    await later(60_000);
    expect(await statusOf(link)).toBe(status);
    expect((await harness.notified(link.id)).slice(2)).toEqual([`payment-link.updated ${status}`]);
  });
});

describe('a slow attempt', () => {
  it('is given up, and creates no transaction when it continues', async () => {
    const link = await harness.made();
    const held = holdFirstAt('payment_link.claimed');
    const slow = harness.pay(link);
    await held.reached;
    await later(LEASE_MS - 5_000);
    expect(await statusOf(link)).toBe('processing');
    await later(5_000);
    expect(await statusOf(link)).toBe('active');
    expect(await harness.pay(link)).toMatchObject({ ok: true, value: { link: { status: 'completed' } } });
    held.go();

    expect(await slow).toEqual({ ok: false, refusals: [{ kind: 'AttemptGivenUp' }] });
    expect([await statusOf(link), await bookedFor(link)]).toEqual(['completed', 1]);
    expect(await transactionsOf(link)).toHaveLength(1);
  });

  it('is not given up once it has its transaction, whoever asks for it', async () => {
    const link = await harness.made();
    const started = await beginPayment(harness.server.app, await harness.found(link));
    if (!started.ok) throw new Error('The link is not active');
    const held = holdFirstAt('authorize.claimed');
    const paying = carryOut(harness.server.app, started.value, { paymentMethod: { card: CARD } });
    await held.reached;

    expect(await giveUp(harness.server.app, started.value.attempt)).toMatchObject({ status: 'processing' });
    expect(await openAttempts(link)).toHaveLength(1);
    held.go();
    await paying;
    const finished = await Promise.all(
      Array.from({ length: 5 }, () => finishPayment(harness.server.app, started.value.attempt)),
    );
    expect(new Set(finished.map(({ status }) => status))).toEqual(new Set(['completed']));
    expect(await harness.notified(link.id)).toEqual([...BEGUN, 'payment-link.updated completed']);
  });

  it('makes one transaction, however often it runs', async () => {
    const link = await harness.made();
    const started = await beginPayment(harness.server.app, await harness.found(link));
    if (!started.ok) throw new Error('The link is not active');
    const submission = { paymentMethod: { card: CARD } };
    const made = await Promise.all(
      Array.from({ length: 5 }, () => carryOut(harness.server.app, started.value, submission)),
    );

    expect(new Set(made.map((each) => (each.ok ? each.value.id : null))).size).toBe(1);
    expect(await bookedFor(link)).toBe(1);
    await finishPayment(harness.server.app, started.value.attempt);
  });
});
