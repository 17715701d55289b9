import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { at, startDisputes, type Disputes, type Sale } from './harness.ts';

let disputes: Disputes;

beforeAll(async () => {
  disputes = await startDisputes();
});
afterAll(() => disputes.play.harness.stop());

const refund = (sale: Sale, input: Readonly<Record<string, unknown>>, key?: string) =>
  disputes.play.harness.refund(sale.id, input, key);

const losses = async ({ id }: Sale) =>
  (await disputes.play.ledger(id)).filter((entry) => entry.startsWith('dispute'));

describe('a lost dispute', () => {
  it('is an entry of its own, and leaves less to refund', async () => {
    const sale = await disputes.sale();

    await disputes.report(sale, { status: 'lost', amount: 400 });

    expect(await losses(sale)).toEqual(['dispute_loss 400']);
    expect(await disputes.payment(sale)).toEqual({
      ...{ status: 'CAPTURE_SUCCEEDED', capturedAmount: 1000, refundedAmount: 0 },
      ...{ disputeLostAmount: 400, disputed: true, refundable: { amount: 600 } },
    });
    expect((await refund(sale, { amount: 601 })).userErrors).toMatchObject([{ code: 'REFUND_TOO_LARGE' }]);
    expect((await refund(sale, {})).operation).toMatchObject({ amount: 600, status: 'SUCCEEDED' });
  });

  it('that the merchant gave up is booked alike', async () => {
    const sale = await disputes.sale();
    await disputes.report(sale);

    await disputes.report(sale, { status: 'accepted', occurred_at: at(1) });
    await disputes.report(sale, { status: 'lost', occurred_at: at(2) });

    expect(await disputes.of(sale)).toMatchObject([{ status: 'ACCEPTED', lostAmount: 1000 }]);
    expect(await losses(sale)).toEqual(['dispute_loss 1000']);
    expect(await disputes.play.findings(sale.id)).toEqual([null, null, null]);
  });

  it('that is won in the next stage is booked back', async () => {
    const sale = await disputes.sale();
    await disputes.report(sale, { status: 'lost' });
    await disputes.report(sale, { stage: 'pre_arbitration', occurred_at: at(1) });
    expect(await disputes.payment(sale)).toMatchObject({ disputeLostAmount: 1000 });

    await disputes.report(sale, { stage: 'pre_arbitration', status: 'won', occurred_at: at(2) });

    expect(await losses(sale)).toEqual(['dispute_loss 1000', 'dispute_loss_reversal 1000']);
    expect(await disputes.payment(sale)).toMatchObject({
      disputeLostAmount: 0,
      refundable: { amount: 1000 },
    });
  });

  it.each([
    ['the win', ['won', 'lost']],
    ['the loss', ['lost', 'won']],
  ] as const)('of an inquiry is booked right when %s of the chargeback is told late', async (_, ends) => {
    const sale = await disputes.sale();
    const [late, last] = ends;
    await disputes.report(sale, { stage: 'inquiry', status: 'accepted', amount: 600 });
    await disputes.report(sale, { stage: 'pre_arbitration', occurred_at: at(2) });
    const booked = { won: 0, lost: 1000 };

    await disputes.report(sale, { status: late, occurred_at: at(1) });
    expect(await disputes.of(sale)).toMatchObject([
      { stage: 'PRE_ARBITRATION', status: 'NEEDS_RESPONSE', lostAmount: booked[late] },
    ]);
    expect(await disputes.payment(sale)).toMatchObject({ disputeLostAmount: booked[late] });

    await disputes.report(sale, { stage: 'pre_arbitration', status: last, occurred_at: at(3) });
    expect(await disputes.payment(sale)).toMatchObject({ disputeLostAmount: booked[last] });
    expect(await disputes.play.findings(sale.id)).toEqual([null, null, null, null]);
  });

  it('that is lost again with another amount books the difference', async () => {
    const sale = await disputes.sale();
    await disputes.report(sale, { status: 'lost', amount: 600 });

    await disputes.report(sale, {
      ...{ stage: 'pre_arbitration', status: 'lost', amount: 500, occurred_at: at(1) },
    });

    expect(await losses(sale)).toEqual(['dispute_loss 600', 'dispute_loss_reversal 100']);
    expect(await disputes.of(sale)).toMatchObject([{ lostAmount: 500, amount: 500 }]);
  });

  it('that is reported of more in the same stage books the rest once', async () => {
    const sale = await disputes.sale();
    await disputes.report(sale);
    await disputes.report(sale, { status: 'accepted', amount: 400, occurred_at: at(1) });

    const more = { status: 'lost', amount: 1000 };
    await disputes.report(sale, { ...more, occurred_at: at(2) });
    await disputes.report(sale, { ...more, occurred_at: at(3) });

    expect(await losses(sale)).toEqual(['dispute_loss 400', 'dispute_loss 600']);
    expect(await disputes.of(sale)).toMatchObject([{ status: 'ACCEPTED', amount: 1000, lostAmount: 1000 }]);
    expect(await disputes.payment(sale)).toMatchObject({ disputeLostAmount: 1000 });
  });

  it('stays lost in its stage, and a report of a win needs a person', async () => {
    const sale = await disputes.sale();
    await disputes.report(sale, { status: 'lost' });

    expect(await disputes.report(sale, { status: 'won', occurred_at: at(1) })).toBe('ignored');

    expect(await disputes.of(sale)).toMatchObject([{ status: 'LOST', lostAmount: 1000 }]);
    expect(await disputes.play.findings(sale.id)).toEqual([null, 'contradicts']);
    expect(await losses(sale)).toEqual(['dispute_loss 1000']);
  });

  it.each([
    ['of more than was captured', { amount: 1001 }, 'exceeds_captured'],
    ['in another currency', { currency: 'USD' }, 'other_money'],
  ])('%s is recorded and not booked', async (_, money, finding) => {
    const sale = await disputes.sale();

    expect(await disputes.report(sale, { status: 'lost', ...money })).toBe('applied');

    expect(await disputes.of(sale)).toMatchObject([{ status: 'LOST', lostAmount: 0 }]);
    expect(await disputes.play.findings(sale.id)).toEqual([finding]);
    expect(await losses(sale)).toEqual([]);
  });

  it('of one dispute beside another takes no more than was captured', async () => {
    const sale = await disputes.sale();
    const second = { ...sale, dispute: `dp_${randomUUID()}` };
    await disputes.report(sale, { status: 'lost', amount: 700 });

    await disputes.report(second, { status: 'lost', amount: 301 });

    expect(await losses(sale)).toEqual(['dispute_loss 700']);
    expect(await disputes.play.findings(sale.id)).toEqual([null, 'exceeds_captured']);
  });

  it('after a refund is booked, with a finding', async () => {
    const sale = await disputes.sale();
    await refund(sale, { amount: 600 });

    await disputes.report(sale, { status: 'lost', amount: 500 });

    expect(await losses(sale)).toEqual(['dispute_loss 500']);
    expect(await disputes.play.findings(sale.id)).toEqual(['refunded_exceeds_captured']);
    expect(await disputes.payment(sale)).toMatchObject({ refundable: { amount: 0 } });
  });
});

describe('a refund of a payment in dispute', () => {
  it('is refused, with the way out, and nothing happens', async () => {
    const sale = await disputes.sale();
    await disputes.report(sale);
    const since = await disputes.play.harness.since();

    const key = randomUUID();
    const refused = await refund(sale, { amount: 1 }, key);

    expect(refused.userErrors).toEqual([
      {
        ...{ __typename: 'DisputeOpen', code: 'DISPUTE_OPEN', path: ['input', 'force'] },
        message: expect.stringContaining('force: true'),
      },
    ]);
    expect(since.calls()).toEqual([]);
    expect(await since.eventNames()).toEqual([]);
    expect(await disputes.payment(sale)).toMatchObject({ refundedAmount: 0 });

    const forced = await refund(sale, { amount: 1, force: true }, key);
    expect(forced.operation).toMatchObject({ status: 'SUCCEEDED', amount: 1 });
    expect(await refund(sale, { amount: 1, force: true }, key)).toEqual({ ...forced, replayed: true });
  });

  it('to every instrument is refused as well', async () => {
    const sale = await disputes.sale();
    await disputes.report(sale);

    expect((await refund(sale, { target: 'ALL' })).userErrors).toMatchObject([{ code: 'DISPUTE_OPEN' }]);
    expect((await refund(sale, { target: 'ALL', force: true })).operation).toMatchObject({ amount: 1000 });
  });

  it.each([
    ['an inquiry', [{ stage: 'inquiry' }]],
    ['a won dispute', [{}, { status: 'won', occurred_at: at(1) }]],
    ['a closed inquiry', [{ stage: 'inquiry', status: 'closed' }]],
  ])('goes on beside %s', async (_, reports) => {
    const sale = await disputes.sale();
    for (const reported of reports) await disputes.report(sale, reported);

    expect((await refund(sale, {})).operation).toMatchObject({ status: 'SUCCEEDED', amount: 1000 });
  });

  it('needs force until the last of two disputes ends', async () => {
    const sale = await disputes.sale();
    const second = { ...sale, dispute: `dp_${randomUUID()}` };
    await disputes.report(sale);
    await disputes.report(second);

    await disputes.report(sale, { status: 'won', occurred_at: at(1) });
    expect((await refund(sale, {})).userErrors).toMatchObject([{ code: 'DISPUTE_OPEN' }]);

    await disputes.report(second, { status: 'won', occurred_at: at(1) });
    expect((await refund(sale, {})).userErrors).toEqual([]);
  });
});

it('a refund and a loss at once never pay back more than the payment without a finding', async () => {
  const sale = await disputes.sale();

  const [refunded] = await Promise.all([
    refund(sale, { amount: 600 }),
    disputes.report(sale, { status: 'lost', amount: 600 }),
  ]);

  const { refundedAmount } = (await disputes.payment(sale)) as { refundedAmount: number };
  expect(await losses(sale)).toEqual(['dispute_loss 600']);
  expect(refundedAmount).toBe(refunded.userErrors.length > 0 ? 0 : 600);
  expect(await disputes.play.findings(sale.id)).toEqual([
    refundedAmount === 0 ? null : 'refunded_exceeds_captured',
  ]);
});
