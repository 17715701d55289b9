import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { chargeOf, newId, refundOf, startLinesPlay, type LinesPlay } from './lines-play.ts';

// Lines that a person decides about.

let play: LinesPlay;
beforeAll(async () => {
  play = await startLinesPlay();
});
afterAll(() => play.harness.stop());

/** Settles a refund of 4.00 without an id at the provider. */
async function unnamed() {
  const id = await play.pay({ intent: 'CAPTURE' });
  const payment = await play.paymentOf(id);
  await play.settle(refundOf(payment, 400, null));
  const [listed] = await play.listed(id);
  return { id, payment, difference: listed?.id ?? '' };
}

const BOOKED = ['authorize 1000', 'capture 1000', 'refund 400'];
const NOT_BOOKED = ['authorize 1000', 'capture 1000'];

const matched = async (id: string) =>
  (await play.entries(id)).map(({ difference }) => difference?.reason ?? null);

describe('a line without an id of its operation', () => {
  it('is listed with its money, and books nothing', async () => {
    const { id } = await unnamed();

    expect(await play.listed(id)).toEqual([
      {
        ...{ id: expect.any(String), finding: 'UNKNOWN_OPERATION', source: 'SETTLEMENT', state: 'OPEN' },
        ...{ operationKind: 'REFUND', adoptable: true, reason: null, endedAt: null },
        paymentServiceReference: expect.stringContaining('settlement:st_'),
        ...{ reported: { amount: 400, currency: 'EUR' }, foundAt: expect.any(String) },
      },
    ]);
    expect(await play.ledger(id)).toEqual(NOT_BOOKED);
    expect(await matched(id)).toEqual(['OPERATION_NOT_SUCCEEDED']);
  });

  it('is booked once by an adoption, and settles the booking', async () => {
    const { id, payment, difference } = await unnamed();

    expect([await play.adopt(difference), await play.adopt(difference)]).toEqual([[], []]);
    await play.tellLines();

    expect(await play.ledger(id)).toEqual(BOOKED);
    expect(await matched(id)).toEqual([null]);
    expect(await play.listed(id)).toMatchObject([{ state: 'ADOPTED', adoptable: false }]);
    await report(payment, newId());
    expect(await play.ledger(id)).toEqual(BOOKED);
  });

  it('is booked once although the process dies after the booking of an adoption', async () => {
    const { id, difference } = await unnamed();
    await play.adopt(difference);
    await play.harness.server.app.db.prisma.difference.updateMany({
      where: { id: difference },
      data: { state: 'open', endedAt: null },
    });

    expect(await play.adopt(difference)).toEqual([]);

    expect(await play.ledger(id)).toEqual(BOOKED);
    expect(await play.listed(id)).toMatchObject([{ state: 'ADOPTED' }]);
  });

  it('ends with a reason when a person dismisses it, and is not listed again', async () => {
    const { id, difference } = await unnamed();

    expect(await play.dismiss(difference, 'The provider took it back.')).toEqual([]);
    await play.harness.pass(3_600_000);
    await play.tellLines();

    expect(await play.listed(id)).toMatchObject([
      { state: 'DISMISSED', reason: 'The provider took it back.' },
    ]);
    expect(await play.ledger(id)).toEqual(NOT_BOOKED);
  });

  it('ends by itself when a webhook tells the operation later', async () => {
    const { id, payment } = await unnamed();

    await report(payment, newId());
    await play.tellLines();

    expect(await play.ledger(id)).toEqual(BOOKED);
    expect(await matched(id)).toEqual([null]);
    expect(await play.listed(id)).toMatchObject([{ state: 'RESOLVED', endedAt: expect.any(String) }]);
  });
});

const report = (payment: string | null, reference: string, amount = 400) =>
  play.tell({
    ...{ event: 'refund.succeeded', payment_service_transaction_id: payment, currency: 'EUR', amount },
    payment_service_reference: reference,
  });

describe('a line of other money', () => {
  it('than that of the payment is listed, and cannot be adopted', async () => {
    const id = await play.pay({ intent: 'CAPTURE' });
    await play.settle({ ...refundOf(await play.paymentOf(id), 400), currency: 'USD' });
    const [listed] = await play.listed(id);
    expect(listed).toMatchObject({
      ...{ finding: 'OTHER_MONEY', source: 'SETTLEMENT', adoptable: false },
      reported: { amount: 400, currency: 'USD' },
    });

    expect(await play.adopt(listed?.id ?? '')).toEqual([{ code: 'OPERATION_NOT_ALLOWED' }]);

    expect(await play.ledger(id)).toEqual(NOT_BOOKED);
  });

  it('than an impossible sum is booked, and listed as of the settlement', async () => {
    const id = await play.pay();

    await play.settle(chargeOf(await play.paymentOf(id), 1200));

    expect(await play.ledger(id)).toEqual(['authorize 1000', 'capture 1200']);
    expect(await play.listed(id)).toMatchObject([
      { finding: 'CAPTURED_EXCEEDS_AUTHORIZED', source: 'SETTLEMENT', state: 'OPEN' },
    ]);
  });
});

describe('a line of a reversal', () => {
  const reversal = (payment: string | null, reference: string | null) => ({
    ...{ type: 'reversal', payment_id: payment, reference, gross: 400, net: 400 },
  });

  it('takes the named refund back, once', async () => {
    const id = await play.pay({ intent: 'CAPTURE' });
    await play.harness.refund(id, { amount: 400 });
    const { providerReference } = await play.operation(id, 'refund');
    const line = reversal(await play.paymentOf(id), providerReference);

    const [entry] = await play.settle(line);

    expect(await play.money(id)).toMatchObject({ refundedAmount: 0, refundReversedAmount: 400 });
    expect(entry?.difference).toBeNull();
    await play.tell({
      ...{
        event: 'refund.reversed',
        payment_service_transaction_id: await play.paymentOf(id),
        currency: 'EUR',
      },
      ...{ payment_service_reference: providerReference, amount: 400 },
    });
    expect(await play.ledger(id)).toEqual([...BOOKED, 'refund_reversal 400']);
  });

  it('waits an hour for its refund, and is listed then', async () => {
    const id = await play.pay({ intent: 'CAPTURE' });
    await play.settle(reversal(await play.paymentOf(id), newId()));
    expect(await play.listed(id)).toEqual([]);

    await play.harness.pass(3_600_000);
    await play.tellLines();

    expect(await play.listed(id)).toMatchObject([
      { finding: 'UNKNOWN_OPERATION', source: 'SETTLEMENT', operationKind: 'REFUND', adoptable: false },
    ]);
    expect(await play.ledger(id)).toEqual(NOT_BOOKED);
  });
});
