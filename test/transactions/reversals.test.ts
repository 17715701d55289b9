import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { setFailpoint } from '../../src/platform/failpoint.ts';
import { applyAfter, inboundRows, until } from './inbox.ts';
import { startTakeBacks, type TakeBacks } from './take-backs.ts';
import { historyOf } from './unresolved.ts';
import type { Since } from './harness.ts';

let play: TakeBacks;
let since: Since;

beforeAll(async () => {
  play = await startTakeBacks();
});
afterAll(() => play.harness.stop());
beforeEach(async () => {
  since = await play.harness.since();
});

/** Creates a payment of 1000 with a capture of 1000. Returns the ids of the payment and of the capture. */
async function captured(final = true): Promise<{ id: string; key: string }> {
  const id = await play.pay();
  await play.harness.capture(id, { amount: 1000, final });
  return { id, key: (await play.operation(id, 'capture')).id };
}

/** Creates a sale of 1000 with a refund of 400. Returns the ids of the payment and of the refund. */
async function refunded(): Promise<{ id: string; key: string }> {
  const id = await play.pay({ intent: 'CAPTURE' });
  await play.harness.refund(id, { amount: 400 });
  return { id, key: (await play.operation(id, 'refund')).id };
}

const lastState = async () => (await inboundRows(play.harness)).at(-1)?.state;

describe('a reversal', () => {
  it('of a capture is an entry of its own, and the capture stays succeeded', async () => {
    const { id, key } = await captured();

    expect(
      await play.tell({ event: 'capture.reversed', idempotency_key: key, code: 'insufficient_funds' }),
    ).toBe('applied');

    expect(await play.money(id)).toEqual({
      ...{ status: 'CAPTURE_SUCCEEDED', capturedAmount: 0, captureReversedAmount: 1000, refundedAmount: 0 },
      ...{ refundReversedAmount: 0, errorCode: null, expiredAt: null },
      ...{ capturable: { amount: 0 }, refundable: { amount: 0 } },
      captures: [
        {
          ...{ amount: 1000, status: 'SUCCEEDED', reversedAmount: 1000 },
          ...{ reversedAt: expect.any(String), reversalCode: 'insufficient_funds' },
        },
      ],
      refunds: [],
    });
    expect(await play.ledger(id)).toEqual(['authorize 1000', 'capture 1000', 'capture_reversal 1000']);
    expect((await since.eventNames()).slice(-2)).toEqual([
      'capture.reversed',
      'transaction.capture-reversed',
    ]);
    expect(await historyOf(play.harness, id)).toContainEqual(
      expect.objectContaining({
        name: 'payment-connector-capture-reversed',
        context: expect.objectContaining({ operation_id: key, amount: 1000, code: 'insufficient_funds' }),
      }),
    );
    expect(await play.findings(id)).toEqual([null]);
  });

  it('of a refund makes its money refundable again', async () => {
    const { id, key } = await refunded();

    await play.tell({ event: 'refund.reversed', idempotency_key: key, code: 'account_closed' });

    expect(await play.money(id)).toMatchObject({
      ...{ status: 'CAPTURE_SUCCEEDED', capturedAmount: 1000, refundedAmount: 0, refundReversedAmount: 400 },
      refundable: { amount: 1000 },
      refunds: [{ status: 'SUCCEEDED', amount: 400, reversedAmount: 400, reversalCode: 'unknown_error' }],
    });
    expect((await since.eventNames()).slice(-1)).toEqual(['refund.reversed']);
    expect((await play.harness.refund(id, { amount: 1000 })).operation).toMatchObject({
      status: 'SUCCEEDED',
    });
    expect(await play.ledger(id)).toEqual([
      ...['authorize 1000', 'capture 1000', 'refund 400', 'refund_reversal 400', 'refund 1000'],
    ]);
  });

  it('of the capture of a sale has an event about the payment', async () => {
    const id = await play.pay({ intent: 'CAPTURE' });
    const payment = (await play.harness.transaction(id))?.['paymentServiceTransactionId'];

    expect(await play.tell({ event: 'capture.reversed', payment_service_transaction_id: payment })).toBe(
      'applied',
    );

    expect(await play.money(id)).toMatchObject({ capturedAmount: 0, captureReversedAmount: 1000 });
    expect((await since.eventNames()).slice(-1)).toEqual(['transaction.capture-reversed']);
    expect((await play.harness.refund(id)).userErrors).toMatchObject([{ code: 'REFUND_TOO_LARGE' }]);
  });

  it('that comes twice is booked once, with the same event and with another one', async () => {
    const { id, key } = await captured();
    const event = { event: 'capture.reversed', idempotency_key: key };
    const same = { ...event, id: randomUUID() };

    expect(await play.tell(same)).toBe('applied');
    expect(await play.post(same)).toBe(200);
    expect(await play.tell(event)).toBe('ignored');
    expect(await play.tell({ ...event, amount: 1000, currency: 'EUR' })).toBe('ignored');

    expect(await play.ledger(id)).toEqual(['authorize 1000', 'capture 1000', 'capture_reversal 1000']);
    expect(await play.findings(id)).toEqual([null, null, null]);
    expect((await since.eventNames()).filter((name) => name === 'capture.reversed')).toHaveLength(1);
  });

  it('of a part books its part, and several add up to the operation at most', async () => {
    const { id, key } = await captured();
    const part = (amount: number, reference?: string) =>
      play.tell({
        ...{ event: 'capture.reversed', idempotency_key: key, amount, currency: 'EUR' },
        ...(reference && { reversal_reference: reference }),
      });

    expect([await part(300, 'rev_1'), await part(300, 'rev_2'), await part(300, 'rev_1')]).toEqual([
      ...['applied', 'applied', 'ignored'],
    ]);
    // No id of the provider tells this one from the first two.
    expect(await part(300)).toBe('ignored');
    expect(await part(401, 'rev_3')).toBe('ignored');
    expect(await play.tell({ event: 'capture.reversed', idempotency_key: key })).toBe('applied');

    expect(await play.money(id)).toMatchObject({ capturedAmount: 0, captureReversedAmount: 1000 });
    expect((await play.ledger(id)).slice(2)).toEqual([
      ...['capture_reversal 300', 'capture_reversal 300', 'capture_reversal 400'],
    ]);
    expect(await play.findings(id)).toEqual([
      ...[null, null, null, 'possible_repeat', 'exceeds_operation', null],
    ]);
  });

  it('in another currency or above the operation is a finding, and nothing is booked', async () => {
    const { id, key } = await captured();
    const was = [await play.money(id), await play.ledger(id), await since.eventNames()];

    for (const money of [
      { amount: 1000, currency: 'USD' },
      { amount: 1001, currency: 'EUR' },
    ])
      expect(await play.tell({ event: 'capture.reversed', idempotency_key: key, ...money })).toBe('ignored');

    expect([await play.money(id), await play.ledger(id), await since.eventNames()]).toEqual(was);
    expect(await play.findings(id)).toEqual(['other_money', 'exceeds_operation']);
    expect(play.harness.server.logs()).toContain('A webhook does not fit what is recorded.');
  });

  it('of a captured amount that is refunded is booked in full, and is a finding', async () => {
    const id = await play.pay();
    await play.harness.capture(id, { amount: 1000 });
    await play.harness.refund(id, { amount: 700 });
    const { id: key } = await play.operation(id, 'capture');

    expect(await play.tell({ event: 'capture.reversed', idempotency_key: key })).toBe('applied');

    expect(await play.money(id)).toMatchObject({
      ...{ capturedAmount: 0, refundedAmount: 700, refundable: { amount: 0 } },
    });
    expect(await play.findings(id)).toEqual(['refunded_exceeds_captured']);
    expect((await play.harness.refund(id, { amount: 1 })).userErrors).toMatchObject([
      { code: 'REFUND_TOO_LARGE' },
    ]);
  });

  it('of an operation that failed changes nothing', async () => {
    const id = await play.pay({ amount: 900_000 });
    await play.harness.capture(id, { amount: 500_002 });
    const { id: key } = await play.operation(id, 'capture');
    const was = [await play.money(id), await play.ledger(id), await since.eventNames()];

    expect(await play.tell({ event: 'capture.reversed', idempotency_key: key })).toBe('ignored');

    expect([await play.money(id), await play.ledger(id), await since.eventNames()]).toEqual(was);
    expect(await play.findings(id)).toEqual([null]);
  });

  it('that is forged is refused, and nothing is stored', async () => {
    const { id, key } = await captured();
    const stored = (await inboundRows(play.harness)).length;

    expect(await play.post({ event: 'capture.reversed', idempotency_key: key }, 'another secret')).toBe(401);

    expect(await inboundRows(play.harness)).toHaveLength(stored);
    expect(await play.money(id)).toMatchObject({ capturedAmount: 1000 });
  });

  it('leaves the rest of the payment open for another capture after a capture that was not final', async () => {
    const { id, key } = await captured(false);

    await play.tell({ event: 'capture.reversed', idempotency_key: key, amount: 250, currency: 'EUR' });

    expect(await play.money(id)).toMatchObject({ capturedAmount: 750, capturable: { amount: 250 } });
    expect((await play.harness.capture(id, { amount: 250 })).operation).toMatchObject({
      status: 'SUCCEEDED',
    });
    expect(await play.money(id)).toMatchObject({ capturedAmount: 1000, capturable: { amount: 0 } });
  });
});

describe('a reversal before the answer of the operation', () => {
  it('waits for the answer, and is booked then', async () => {
    const id = await play.pay({ amount: 900_000 });
    await play.harness.capture(id, { amount: 610_001 });
    const { id: key } = await play.operation(id, 'capture');
    const stored = (await inboundRows(play.harness)).length;

    await play.post({ event: 'capture.reversed', idempotency_key: key });
    await until(async () => ((await inboundRows(play.harness)).length > stored ? true : null));
    expect(await play.money(id)).toMatchObject({ status: 'CAPTURE_PENDING', captureReversedAmount: 0 });
    expect(await play.tell({ event: 'capture.succeeded', idempotency_key: key })).toBe('applied');
    await applyAfter(play.harness, 120_000);

    expect(await play.money(id)).toMatchObject({
      ...{ status: 'CAPTURE_SUCCEEDED', capturedAmount: 0, captureReversedAmount: 610_001 },
    });
    expect(await play.ledger(id)).toEqual([
      ...['authorize 900000', 'capture 610001', 'capture_reversal 610001'],
    ]);
  });

  it('decides the operation as failed when no answer comes for an hour', async () => {
    const id = await play.pay({ amount: 900_000 });
    await play.harness.capture(id, { amount: 610_001 });
    const { id: key } = await play.operation(id, 'capture');

    await play.post({ event: 'capture.reversed', idempotency_key: key, code: 'refused_transaction' });
    await applyAfter(play.harness, 30 * 60_000);
    expect(await play.money(id)).toMatchObject({ status: 'CAPTURE_PENDING' });
    await applyAfter(play.harness, 31 * 60_000);
    await applyAfter(play.harness, 60 * 60_000);

    expect(await play.money(id)).toMatchObject({
      ...{ status: 'AUTHORIZATION_SUCCEEDED', capturedAmount: 0, captureReversedAmount: 0 },
      captures: [{ status: 'FAILED', reversedAmount: 0 }],
    });
    expect((await since.eventNames()).slice(-2)).toEqual(['capture.failed', 'transaction.capture-failed']);
    expect(await lastState()).toBe('applied');
  });

  it('of a part only is a finding after seven days', async () => {
    const id = await play.pay({ amount: 900_000 });
    await play.harness.capture(id, { amount: 610_001 });
    const { id: key } = await play.operation(id, 'capture');

    await play.post({ event: 'capture.reversed', idempotency_key: key, amount: 1, currency: 'EUR' });
    await applyAfter(play.harness, 7 * 24 * 3_600_000 + 3_600_000);

    expect(await lastState()).toBe('expired');
    expect(await play.findings(id)).toEqual(['undecided']);
    expect(await play.money(id)).toMatchObject({ status: 'CAPTURE_PENDING', captureReversedAmount: 0 });
  });
});

describe('a process that dies', () => {
  it.each(['inbound.taking_back', 'inbound.taken_back', 'inbound.applied'])(
    'at %s leaves the reversal to the next run, which books it once',
    async (point) => {
      const { id, key } = await captured();
      let died = false;
      const restore = setFailpoint(point, () => {
        if (died) return Promise.resolve();
        died = true;
        return Promise.reject(new Error('The process dies'));
      });
      try {
        await play.post({ event: 'capture.reversed', idempotency_key: key, amount: 400, currency: 'EUR' });
        await until(async () => (died ? true : null));
        await applyAfter(play.harness, 60_000);
      } finally {
        restore();
      }

      expect(died).toBe(true);
      expect(await play.ledger(id)).toEqual(['authorize 1000', 'capture 1000', 'capture_reversal 400']);
      expect(await play.money(id)).toMatchObject({ capturedAmount: 600, captureReversedAmount: 400 });
      expect(await play.findings(id)).toEqual([null]);
      expect((await since.eventNames()).filter((name) => name === 'capture.reversed')).toHaveLength(1);
    },
  );
});

it('two reversals of the rest at once are booked once', async () => {
  const { id, key } = await captured();
  const before = (await inboundRows(play.harness)).length;

  await Promise.all(
    Array.from({ length: 8 }, () => play.post({ event: 'capture.reversed', idempotency_key: key })),
  );
  await until(async () => {
    // A webhook that overtakes an older one waits for the loop.
    await applyAfter(play.harness, 1_000);
    const rows = (await inboundRows(play.harness)).slice(before);
    return rows.length === 8 && rows.every(({ state }) => state !== 'parked') ? true : null;
  });

  expect(await play.ledger(id)).toEqual(['authorize 1000', 'capture 1000', 'capture_reversal 1000']);
  expect(await play.money(id)).toMatchObject({ capturedAmount: 0, captureReversedAmount: 1000 });
});

it('a repeated request with the same key shows the capture as it was', async () => {
  const id = await play.pay();
  const key = randomUUID();
  const first = await play.harness.capture(id, { amount: 1000 }, key);
  await play.tell({ event: 'capture.reversed', idempotency_key: (await play.operation(id, 'capture')).key });

  const again = await play.harness.capture(id, { amount: 1000 }, key);

  expect(again).toEqual({ ...first, replayed: true });
});
