import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { setFailpoint } from '../../src/platform/failpoint.ts';
import { applyAfter, ended, inboundRows, putOff, until } from '../transactions/inbox.ts';
import type { Since } from '../transactions/harness.ts';
import { at, startDisputes, type Disputes, type Sale } from './harness.ts';

let disputes: Disputes;
let since: Since;

beforeAll(async () => {
  disputes = await startDisputes();
});
afterAll(() => disputes.play.harness.stop());
beforeEach(async () => {
  since = await disputes.play.harness.since();
});

const eventNames = async () => (await since.eventNames()).filter((name) => name.startsWith('dispute.'));

describe('a reported dispute', () => {
  it('is a record of its payment, with everything that the provider tells', async () => {
    const sale = await disputes.sale();

    expect(await disputes.report(sale)).toBe('applied');

    const [shown] = await disputes.of(sale);
    expect(shown).toEqual({
      ...{ id: expect.any(String), type: 'dispute', stage: 'CHARGEBACK', status: 'NEEDS_RESPONSE' },
      ...{ reason: 'FRAUDULENT', reasonCode: '10.4', amount: 1000, currency: 'EUR', lostAmount: 0 },
      ...{ respondBy: at(86_400), reportedAt: at(0), paymentServiceDisputeId: sale.dispute },
      ...{ transaction: { id: sale.id }, paymentService: { id: expect.any(String) } },
    });
    expect(await eventNames()).toEqual(['dispute.created']);
    expect(await disputes.play.ledger(sale.id)).toEqual(['authorize 1000', 'capture 1000']);
    expect(await disputes.payment(sale)).toMatchObject({ disputed: true, disputeLostAmount: 0 });
  });

  it('is found by the filter of its payment, unless it is an inquiry', async () => {
    const [sale, asked] = [await disputes.sale(), await disputes.sale()];
    const isOurs = (id: string) => id === sale.id || id === asked.id;
    const found = async () => [
      (await disputes.found(true)).filter(isOurs),
      (await disputes.found(false)).filter(isOurs),
    ];
    await disputes.report(sale, { status: 'won' });
    await disputes.report(asked, { stage: 'inquiry' });
    expect(await found()).toEqual([[sale.id], [asked.id]]);

    await disputes.report(asked, { occurred_at: at(1) });

    expect(await found()).toEqual([[asked.id, sale.id], []]);
  });

  it('goes through its stages, with an event for each change', async () => {
    const sale = await disputes.sale();

    await disputes.report(sale, { stage: 'inquiry' });
    expect(await disputes.payment(sale)).toMatchObject({ disputed: false });
    await disputes.report(sale, { occurred_at: at(1) });
    await disputes.report(sale, { occurred_at: at(2), status: 'under_review' });
    await disputes.report(sale, { occurred_at: at(3), status: 'won' });

    expect(await disputes.of(sale)).toEqual([
      expect.objectContaining({ stage: 'CHARGEBACK', status: 'WON', lostAmount: 0, respondBy: null }),
    ]);
    expect(await eventNames()).toEqual([
      ...['dispute.created', 'dispute.updated', 'dispute.updated', 'dispute.won'],
    ]);
    expect(await disputes.play.ledger(sale.id)).toEqual(['authorize 1000', 'capture 1000']);
  });

  it('that is new and lost has an event of each', async () => {
    const sale = await disputes.sale();

    await disputes.report(sale, { status: 'lost' });

    expect(await eventNames()).toEqual(['dispute.created', 'dispute.lost']);
  });

  it('changes nothing by an older report, or by a repeat', async () => {
    const sale = await disputes.sale();
    const under = { status: 'under_review', occurred_at: at(10), id: `evt_${sale.dispute}` };
    await disputes.report(sale, under);
    const before = await disputes.of(sale);

    expect(await disputes.report(sale, { occurred_at: at(9) })).toBe('ignored');
    expect(await disputes.report(sale, { ...under, id: `again_${sale.dispute}` })).toBe('ignored');
    expect(await disputes.report(sale, { stage: 'inquiry', occurred_at: at(11) })).toBe('ignored');

    expect(await disputes.of(sale)).toEqual(before);
    expect(await eventNames()).toEqual(['dispute.created']);
    expect(await disputes.play.findings(sale.id)).toEqual([null, null, null, null]);
  });

  it('with a forged signature is refused, and one of unknown words is kept unread', async () => {
    const sale = await disputes.sale();
    const report = {
      ...{ event: 'dispute.created', payment_service_transaction_id: sale.payment },
      ...{
        dispute_reference: sale.dispute,
        stage: 'chargeback',
        status: 'lost',
        amount: 1000,
        currency: 'EUR',
      },
    };

    expect(await disputes.play.post(report, 'another secret')).toBe(401);
    expect(await disputes.play.post({ ...report, status: 'perhaps' })).toBe(200);
    expect(await disputes.play.post({ ...report, amount: 0 })).toBe(200);
    expect(await disputes.play.post({ ...report, dispute_reference: '' })).toBe(200);

    const { prisma } = disputes.play.harness.server.app.db;
    expect(await prisma.unreadWebhook.count()).toBe(3);

    expect(await disputes.of(sale)).toEqual([]);
    expect(await eventNames()).toEqual([]);
    expect(await disputes.play.ledger(sale.id)).toEqual(['authorize 1000', 'capture 1000']);
  });

  it('waits for its payment, and belongs to that payment alone', async () => {
    const [sale, other] = [await disputes.sale(), await disputes.sale()];
    await disputes.report(sale);

    expect(await disputes.report({ ...other, dispute: sale.dispute }, { occurred_at: at(1) })).toBe(
      'ignored',
    );
    expect(await disputes.of(other)).toEqual([]);
    expect(await disputes.play.findings(other.id)).toEqual(['other_payment']);

    const count = (await inboundRows(disputes.play.harness)).length;
    await disputes.play.post({
      ...{ event: 'dispute.created', payment_service_transaction_id: 'pay_of_nobody' },
      ...{
        dispute_reference: 'dp_1',
        stage: 'inquiry',
        status: 'needs_response',
        amount: 1,
        currency: 'EUR',
      },
    });
    await putOff(disputes.play.harness);
    await applyAfter(disputes.play.harness, 7 * 24 * 3_600_000);
    expect(await ended(disputes.play.harness, count + 1)).toBe('expired');
  });

  it('is found by our key of the capture', async () => {
    const id = await disputes.play.pay();
    await disputes.play.harness.capture(id, { amount: 1000 });
    const { key } = await disputes.play.operation(id, 'capture');
    const sale = { id, payment: 'unknown', dispute: `dp_${key}` };

    expect(await disputes.report(sale, { idempotency_key: key, status: 'lost' })).toBe('applied');

    const { ledgerEntry } = disputes.play.harness.server.app.db.prisma;
    const [entry] = await ledgerEntry.findMany({ where: { transactionId: id, kind: 'dispute_loss' } });
    expect(entry).toMatchObject({ amount: 1000, currency: 'EUR' });
    expect(entry?.operationId).toBe((await disputes.play.operation(id, 'capture')).id);
  });
});

describe('a loss of a payment whose capture has no outcome', () => {
  const lose = async (): Promise<Sale> => {
    const id = await disputes.play.pay({ amount: 900_000 });
    await disputes.play.harness.capture(id, { amount: 610_001 });
    const { providerReference } = await disputes.play.operation(id, 'authorize');
    const sale = { id, payment: providerReference ?? '', dispute: `dp_${id}` };
    await disputes.play.post({
      ...{ event: 'dispute.closed', payment_service_transaction_id: sale.payment, occurred_at: at(0) },
      ...{ dispute_reference: sale.dispute, stage: 'chargeback', status: 'lost' },
      ...{ amount: 610_001, currency: 'EUR' },
    });
    await putOff(disputes.play.harness);
    return sale;
  };

  it('waits for the outcome', async () => {
    const sale = await lose();
    expect(await disputes.of(sale)).toEqual([]);

    await disputes.play.harness.sync(sale.id);
    await applyAfter(disputes.play.harness, 60_000);

    expect(await disputes.of(sale)).toMatchObject([{ status: 'LOST', lostAmount: 610_001 }]);
    expect(await disputes.play.ledger(sale.id)).toEqual([
      ...['authorize 900000', 'capture 610001', 'dispute_loss 610001'],
    ]);
  });

  it('needs a person after seven days', async () => {
    const sale = await lose();

    await applyAfter(disputes.play.harness, 7 * 24 * 3_600_000);

    expect(await disputes.play.findings(sale.id)).toEqual(['undecided']);
    expect(await disputes.of(sale)).toEqual([]);
    expect(await disputes.play.ledger(sale.id)).toEqual(['authorize 900000']);
  });
});

describe('a process that dies', () => {
  it.each(['inbound.matched', 'disputes.recording', 'disputes.recorded', 'inbound.applied'])(
    'at %s leaves the loss to the next run, which books it once',
    async (point) => {
      const sale = await disputes.sale();
      let died = false;
      const restore = setFailpoint(point, () => {
        if (died) return Promise.resolve();
        died = true;
        return Promise.reject(new Error('The process dies'));
      });
      const count = (await inboundRows(disputes.play.harness)).length;
      try {
        const told = disputes.report(sale, { status: 'lost', amount: 400 });
        await until(async () => (died ? true : null));
        await applyAfter(disputes.play.harness, 60_000);
        await told;
      } finally {
        restore();
      }

      expect(await ended(disputes.play.harness, count + 1)).not.toBe('parked');
      expect(await disputes.play.ledger(sale.id)).toEqual([
        ...['authorize 1000', 'capture 1000', 'dispute_loss 400'],
      ]);
      expect(await disputes.payment(sale)).toMatchObject({ disputeLostAmount: 400 });
      expect(await disputes.play.findings(sale.id)).toEqual([null]);
      expect(await eventNames()).toEqual(['dispute.created', 'dispute.lost']);
    },
  );
});

it('eight reports of one loss at once are booked once', async () => {
  const sale = await disputes.sale();

  await Promise.all(Array.from({ length: 8 }, () => disputes.report(sale, { status: 'lost' })));
  await until(async () =>
    (await inboundRows(disputes.play.harness)).every(({ state }) => state !== 'parked') ? true : null,
  );

  expect(await disputes.of(sale)).toHaveLength(1);
  expect(await disputes.play.ledger(sale.id)).toEqual([
    ...['authorize 1000', 'capture 1000', 'dispute_loss 1000'],
  ]);
  expect(await eventNames()).toEqual(['dispute.created', 'dispute.lost']);
});
