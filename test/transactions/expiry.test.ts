import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { SimulatorReply } from '../../src/connectors/sandbox/simulator/simulator.ts';
import { applyAfter, inboundRows, putOff, until } from './inbox.ts';
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

/** Reports the expiry of a payment's authorisation, and returns the end state of the webhook. */
const expire = async (id: string): Promise<string> =>
  play.tell({ event: 'authorization.expired', idempotency_key: (await play.operation(id, 'authorize')).key });

const lastState = async () => (await inboundRows(play.harness)).at(-1)?.state;

describe('an expired authorisation', () => {
  it('is released, and neither captured nor voided afterwards', async () => {
    const id = await play.pay();
    expect(await expire(id)).toBe('applied');

    expect(await play.money(id)).toMatchObject({
      ...{ status: 'AUTHORIZATION_VOIDED', errorCode: 'expired_authorization', capturedAmount: 0 },
      ...{ expiredAt: expect.any(String), capturable: { amount: 0 } },
    });
    expect(await play.ledger(id)).toEqual(['authorize 1000', 'expire 1000']);
    expect(await since.eventNames()).toEqual(['transaction.authorized', 'transaction.expired']);
    expect(await historyOf(play.harness, id)).toContainEqual(
      expect.objectContaining({ name: 'payment-connector-authorization-expired' }),
    );
    const requested = since.calls();
    for (const refused of [await play.harness.capture(id), await play.harness.void(id)])
      expect(refused.userErrors).toMatchObject([{ code: 'OPERATION_NOT_ALLOWED' }]);
    expect(since.calls()).toEqual(requested);
  });

  it('that is reported twice is booked once', async () => {
    const id = await play.pay();

    expect([await expire(id), await expire(id)]).toEqual(['applied', 'ignored']);

    expect(await play.ledger(id)).toEqual(['authorize 1000', 'expire 1000']);
    expect((await since.eventNames()).filter((name) => name === 'transaction.expired')).toHaveLength(1);
    expect(await play.findings(id)).toEqual([null, null]);
  });

  it('after a partial capture ends the rest alone', async () => {
    const id = await play.pay();
    await play.harness.capture(id, { amount: 300, final: false });

    expect(await expire(id)).toBe('applied');

    expect(await play.money(id)).toMatchObject({
      ...{ status: 'CAPTURE_SUCCEEDED', capturedAmount: 300, errorCode: null },
      ...{ expiredAt: expect.any(String), capturable: { amount: 0 }, refundable: { amount: 300 } },
    });
    expect(await play.ledger(id)).toEqual(['authorize 1000', 'capture 300', 'expire 700']);
    expect((await play.harness.capture(id, { amount: 1 })).userErrors).toMatchObject([
      { code: 'OPERATION_NOT_ALLOWED' },
    ]);
  });

  it.each([
    ['a sale', { intent: 'CAPTURE' }, null],
    ['a final capture', {}, 'capture'],
    ['a void', {}, 'void'],
    ['a decline', { amount: 200_011 }, null],
  ] as const)('of a payment after %s changes nothing', async (_, input, then) => {
    const id = await play.pay(input);
    if (then === 'capture') await play.harness.capture(id, { amount: 400 });
    if (then === 'void') await play.harness.void(id);
    const was = [await play.money(id), await play.ledger(id), await since.eventNames()];

    expect(await expire(id)).toBe('ignored');

    expect([await play.money(id), await play.ledger(id), await since.eventNames()]).toEqual(was);
    expect(await play.findings(id)).toEqual([null]);
  });

  it('waits while a capture is undecided, and ends the rest of a refused one', async () => {
    const id = await play.pay({ amount: 900_000 });
    await play.harness.capture(id, { amount: 610_002 });
    const { key } = await play.operation(id, 'authorize');
    const stored = (await inboundRows(play.harness)).length;

    await play.post({ event: 'authorization.expired', idempotency_key: key });
    await until(async () => ((await inboundRows(play.harness)).length > stored ? true : null));
    expect(await play.money(id)).toMatchObject({ status: 'CAPTURE_PENDING', expiredAt: null });
    await play.harness.sync(id);
    await applyAfter(play.harness, 120_000);

    expect(await play.money(id)).toMatchObject({
      ...{ status: 'AUTHORIZATION_VOIDED', errorCode: 'expired_authorization' },
      captures: [{ status: 'DECLINED' }],
    });
    expect(await lastState()).toBe('applied');
  });

  it('that was never confirmed fails after an hour', async () => {
    play.harness.provider.failNext('lose_answer');
    const id = await play.pay();
    const { key } = await play.operation(id, 'authorize');

    await play.post({ event: 'authorization.expired', idempotency_key: key });
    await applyAfter(play.harness, 61 * 60_000);
    await applyAfter(play.harness, 61 * 60_000);

    expect(await play.money(id)).toMatchObject({
      ...{ status: 'AUTHORIZATION_FAILED', errorCode: 'expired_authorization', expiredAt: null },
    });
    expect(await play.ledger(id)).toEqual([]);
  });
});

describe('an expiry of a renewed authorisation', () => {
  const MINUTE_MS = 60_000;

  /** Pays and renews. Returns the payment, the key of its authorisation, and a time by its distance from the renewal. */
  const renewed = async () => {
    const id = await play.pay();
    await play.harness.reauthorize(id);
    const { key } = await play.operation(id, 'authorize');
    const renewedAt = Date.parse(String((await play.harness.transaction(id))?.reauthorizedAt));
    return { id, key, at: (ms: number) => new Date(renewedAt + ms).toISOString() };
  };
  const report = (key: string, time: { readonly occurred_at?: string } = {}) => ({
    ...{ event: 'authorization.expired', idempotency_key: key },
    ...time,
  });
  const isGone = (key: string) => {
    const books = play.harness.provider.books as Map<string, SimulatorReply>;
    const reply = books.get(key);
    if (!reply) throw new Error('The provider has no such authorisation');
    books.set(key, { ...reply, result: 'error', code: 'expired_authorization', message: 'Expired' });
  };

  it('from before the renewal changes nothing, and the payment is captured', async () => {
    const { id, key, at } = await renewed();
    const was = [await play.money(id), await play.ledger(id), await since.eventNames()];

    expect(await play.tell(report(key, { occurred_at: at(-MINUTE_MS) }))).toBe('ignored');

    expect([await play.money(id), await play.ledger(id), await since.eventNames()]).toEqual(was);
    expect(await play.findings(id)).toEqual(['before_renewal']);
    expect((await play.harness.capture(id)).transaction).toMatchObject({ capturedAmount: 1000 });
  });

  it('from after the renewal is booked, without a question to the provider', async () => {
    const { id, key, at } = await renewed();
    const asked = since.calls();

    expect(await play.tell(report(key, { occurred_at: at(MINUTE_MS) }))).toBe('applied');

    expect(await play.money(id)).toMatchObject({
      ...{ status: 'AUTHORIZATION_VOIDED', errorCode: 'expired_authorization' },
    });
    expect(since.calls()).toEqual(asked);
  });

  it('without a time changes nothing while the provider holds the money', async () => {
    const { id, key } = await renewed();

    expect(await play.tell(report(key))).toBe('ignored');

    expect(since.calls().at(-1)).toBe('status');
    expect(await play.money(id)).toMatchObject({ status: 'AUTHORIZATION_SUCCEEDED', expiredAt: null });
    expect(await play.findings(id)).toEqual(['before_renewal']);
  });

  it('without a time is booked once the provider says that nothing is held', async () => {
    const { id, key } = await renewed();
    isGone(key);

    expect(await play.tell(report(key))).toBe('applied');

    expect(await play.money(id)).toMatchObject({ status: 'AUTHORIZATION_VOIDED' });
    expect(await play.ledger(id)).toEqual(['authorize 1000', 'expire 1000']);
  });

  it('without a time is booked although the clock of the renewal is ahead', async () => {
    const { id, key } = await renewed();
    isGone(key);

    play.harness.clock.advance(-10 * MINUTE_MS);
    const state = await play.tell(report(key));
    play.harness.clock.advance(10 * MINUTE_MS);

    expect(state).toBe('applied');
    expect(await play.money(id)).toMatchObject({ status: 'AUTHORIZATION_VOIDED' });
  });

  it.each(['nonsense', 'still_deciding', 'not_found'] as const)(
    'without a time waits while the provider does not tell (%s), and asks again',
    async (fault) => {
      const { id, key } = await renewed();
      isGone(key);
      play.harness.provider.failNext(fault);
      const stored = (await inboundRows(play.harness)).length;
      await play.post(report(key));
      await until(async () => ((await inboundRows(play.harness)).length > stored ? true : null));
      await putOff(play.harness);
      expect(await play.money(id)).toMatchObject({ status: 'AUTHORIZATION_SUCCEEDED', expiredAt: null });

      await applyAfter(play.harness, 120_000);

      expect(await lastState()).toBe('applied');
      expect(await play.money(id)).toMatchObject({ status: 'AUTHORIZATION_VOIDED' });
    },
  );

  it('without a time keeps the money of a provider that never tells, and says so after seven days', async () => {
    const { id, key } = await renewed();
    play.harness.provider.failNext('lose_request');
    await play.post(report(key));
    await putOff(play.harness);
    play.harness.provider.failNext('lose_request');

    await applyAfter(play.harness, 7 * 24 * 60 * MINUTE_MS);

    expect(await lastState()).toBe('expired');
    expect(await play.money(id)).toMatchObject({ status: 'AUTHORIZATION_SUCCEEDED', expiredAt: null });
    expect(await play.findings(id)).toEqual(['undecided']);
  });
});

describe('a void that the provider names by its authorisation', () => {
  it('ends by that name, and not by an unknown one', async () => {
    const id = await play.pay({ amount: 620_001 });
    await play.harness.void(id);
    const { key } = await play.operation(id, 'authorize');

    expect(await play.tell({ event: 'void.succeeded', authorization_key: key })).toBe('applied');

    expect(await play.money(id)).toMatchObject({ status: 'AUTHORIZATION_VOIDED' });
    expect(await play.ledger(id)).toEqual(['authorize 620001', 'void 620001']);
  });

  it('that nobody requested here voids the payment', async () => {
    const id = await play.pay();
    const { key } = await play.operation(id, 'authorize');

    expect(await play.tell({ event: 'void.succeeded', authorization_key: key })).toBe('applied');

    expect(await play.money(id)).toMatchObject({ status: 'AUTHORIZATION_VOIDED' });
    expect(await play.findings(id)).toEqual([null]);
  });
});

describe("the provider's id of an operation", () => {
  it('is learned late, and a reversal that waits for the id is booked then', async () => {
    const id = await play.pay();
    play.harness.provider.failNext('lose_answer');
    await play.harness.capture(id, { amount: 1000 });
    const capture = await play.operation(id, 'capture');
    expect(await play.tell({ event: 'capture.succeeded', idempotency_key: capture.key })).toBe('applied');
    expect(await play.operation(id, 'capture')).toMatchObject({ providerReference: capture.key });

    await play.post({ event: 'capture.reversed', payment_service_reference: 'cap_late' });
    await applyAfter(play.harness, 0);
    expect(await play.money(id)).toMatchObject({ capturedAmount: 1000 });
    await play.post({
      ...{ event: 'capture.succeeded', idempotency_key: capture.key },
      payment_service_reference: 'cap_late',
    });
    await until(async () =>
      (await play.operation(id, 'capture')).providerReference === 'cap_late' ? true : null,
    );
    await applyAfter(play.harness, 0);

    expect(await play.money(id)).toMatchObject({ capturedAmount: 0, captureReversedAmount: 1000 });
    expect(await lastState()).toBe('applied');
  });

  it('that is known stays, whatever a webhook says', async () => {
    const id = await play.pay();
    await play.harness.capture(id, { amount: 1000 });
    const { key, providerReference } = await play.operation(id, 'capture');

    await play.tell({
      ...{ event: 'capture.succeeded', idempotency_key: key },
      payment_service_reference: 'another',
    });

    expect(await play.operation(id, 'capture')).toMatchObject({ providerReference });
  });
});
