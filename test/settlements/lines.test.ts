import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { inboundRows } from '../transactions/inbox.ts';
import { chargeOf, newId, refundOf, startLinesPlay, type LinesPlay } from './lines-play.ts';

// Operations that somebody made at the provider, of which only the settlement tells, or the settlement and a webhook.

let play: LinesPlay;
beforeAll(async () => {
  play = await startLinesPlay();
});
afterAll(() => play.harness.stop());

const reasonOf = (entry: { readonly difference: { readonly reason: string } | null } | undefined) =>
  entry?.difference?.reason ?? null;

/** A webhook about an operation at the provider, without a key of ours. */
const report = (payment: string | null, event: string, fields: Readonly<Record<string, unknown>>) => ({
  ...{ event, payment_service_transaction_id: payment, currency: 'EUR', ...fields },
});

describe('a line without a booked operation', () => {
  it.each([
    ['refund', 'CAPTURE', refundOf, 'provider refund 400', { refundedAmount: 400 }, ['refund.succeeded']],
    [
      ...(['capture', 'AUTHORIZE', chargeOf, 'provider capture 400', { capturedAmount: 400 }] as const),
      ['capture.succeeded', 'transaction.captured'],
    ],
  ] as const)(
    'books its %s once, and settles the booking',
    async (_, intent, lineOf, booked, money, events) => {
      const id = await play.pay({ intent });
      const since = await play.harness.since();
      const line = { id: newId(), ...lineOf(await play.paymentOf(id), 400) };

      const [entry] = await play.settle(line);

      expect(await play.money(id)).toMatchObject(money);
      expect(await play.booked(id)).toEqual([booked]);
      expect([entry?.transaction?.id, reasonOf(entry)]).toEqual([id, null]);
      expect((await since.eventNames()).filter((name) => !name.startsWith('settlement.'))).toEqual(events);
      expect(await play.listed(id)).toEqual([]);
      const before = [
        await play.ledger(id),
        await play.entries(id),
        (await inboundRows(play.harness)).length,
      ];
      await play.settle(line);
      expect([
        await play.ledger(id),
        await play.entries(id),
        (await inboundRows(play.harness)).length,
      ]).toEqual(before);
    },
  );

  it('is the operation of a webhook that comes later', async () => {
    const id = await play.pay({ intent: 'CAPTURE' });
    const [payment, reference] = [await play.paymentOf(id), newId()];
    await play.settle(refundOf(payment, 400, reference));

    await play.tell(
      report(payment, 'refund.succeeded', { payment_service_reference: reference, amount: 400 }),
    );

    expect(await play.ledger(id)).toEqual(['authorize 1000', 'capture 1000', 'refund 400']);
  });

  it('is the operation of a webhook that came before', async () => {
    const id = await play.pay({ intent: 'CAPTURE' });
    const [payment, reference] = [await play.paymentOf(id), newId()];
    await play.fetch(refundOf(payment, 400, reference));
    await play.tell(
      report(payment, 'refund.succeeded', { payment_service_reference: reference, amount: 400 }),
    );

    await play.tellLines();

    expect(await play.ledger(id)).toEqual(['authorize 1000', 'capture 1000', 'refund 400']);
    expect((await play.entries(id)).map(reasonOf)).toEqual([null]);
  });

  it('is another operation than our own of the same money, whose own line follows', async () => {
    const id = await play.pay({ intent: 'CAPTURE' });
    await play.harness.refund(id, { amount: 400 });
    const [payment, own] = [await play.paymentOf(id), await play.operation(id, 'refund')];

    const lines = await play.settle(refundOf(payment, 400), refundOf(payment, 400, own.providerReference));

    expect(await play.booked(id)).toEqual(['requested refund 400', 'provider refund 400']);
    expect(lines.map(reasonOf)).toEqual([null, null]);
    expect(new Set(lines.map(({ operationId }) => operationId)).size).toBe(2);
  });

  it('with a copied key of the authorisation is booked all the same', async () => {
    const id = await play.pay({ intent: 'CAPTURE' });
    const { key } = await play.operation(id, 'authorize');

    const [entry] = await play.settle({ ...refundOf(await play.paymentOf(id), 400), idempotency_key: key });

    expect(await play.booked(id)).toEqual(['provider refund 400']);
    expect(reasonOf(entry)).toBeNull();
  });
});

describe('a line of an operation that has no outcome here', () => {
  /** Makes a refund whose answer is lost, and returns its key and the provider's id. */
  async function lostRefund() {
    const id = await play.pay({ intent: 'CAPTURE' });
    play.harness.provider.failNext('lose_answer');
    await play.harness.refund(id, { amount: 400 });
    const refund = await play.operation(id, 'refund');
    expect(refund.status).toBe('pending');
    return { id, payment: await play.paymentOf(id), key: refund.key };
  }

  it.each([
    ['names it by our key', true],
    ['has the id alone', false],
  ])('lets it be decided first, and settles it: the line %s', async (_, isNamed) => {
    const { id, payment, key } = await lostRefund();
    const { providerReference } = await decided(id, async () => {
      await play.fetch({
        ...refundOf(payment, 400, idAtProvider(key)),
        ...(isNamed && { idempotency_key: key }),
      });
      await play.tellLines();
      expect(await play.booked(id)).toEqual([]);
    });
    expect(providerReference).toBe(idAtProvider(key));

    await play.harness.pass(6 * 60_000);
    await play.tellLines();

    expect(await play.booked(id)).toEqual(['requested refund 400']);
    expect((await play.entries(id)).map(reasonOf)).toEqual([null]);
    expect(await play.listed(id)).toEqual([]);
  });

  it('is booked as another one if its id turns out to be another', async () => {
    const { id, payment } = await lostRefund();
    await decided(id, async () => {
      await play.fetch(refundOf(payment, 400));
      await play.tellLines();
    });

    await play.harness.pass(6 * 60_000);
    await play.tellLines();
    await play.tellLines();

    expect(await play.booked(id)).toEqual(['requested refund 400', 'provider refund 400']);
    expect(await play.ledger(id)).toEqual(['authorize 1000', 'capture 1000', 'refund 400', 'refund 400']);
  });

  /** Runs a step while the refund is pending, then asks the provider, and returns the decided refund. */
  async function decided(id: string, step: () => Promise<void>) {
    await step();
    await play.harness.pass(60_000);
    await play.harness.sync(id);
    const refund = await play.operation(id, 'refund');
    expect(refund.status).toBe('succeeded');
    return refund;
  }

  const idAtProvider = (key: string): string => play.harness.provider.books.get(key)?.id ?? `none of ${key}`;
});

it('a line that names no payment of ours books nothing', async () => {
  const id = await play.pay({ intent: 'CAPTURE' });
  const before = await play.ledger(id);

  const [entry] = await play.settle(refundOf(randomUUID(), 400));

  expect([entry?.transaction, reasonOf(entry)]).toEqual([null, 'NO_SUCH_OPERATION']);
  expect(await play.ledger(id)).toEqual(before);
});
