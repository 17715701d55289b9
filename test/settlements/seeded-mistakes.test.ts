import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { App } from '../../src/app.ts';
import { settledOtherwise } from '../../src/connectors/sandbox/simulator/settlement-simulator.ts';
import { fetchDueSettlements } from '../../src/modules/settlements/index.ts';
import { seldom } from '../simulation/seldom.ts';
import { query } from '../support/database.ts';
import {
  createSettlingService,
  DAY_MS,
  entryOnWire,
  pageOnWire,
  startSettling,
  type Settling,
} from './harness.ts';

let settling: Settling;
let app: App;

beforeAll(async () => {
  settling = await startSettling();
  ({ app } = settling.harness.server);
  await createSettlingService(settling, 'EUR', settling.harness.provider.url);
});
afterAll(() => settling.harness.stop());

async function drain(at: App): Promise<void> {
  while (await fetchDueSettlements(at));
}

const nextDay = async (at: App): Promise<void> => {
  await settling.harness.pass(DAY_MS + 2 * 3_600_000);
  await drain(at);
};

const countOf = async (kind: string): Promise<number> => (await settling.entries({ kind: [kind] })).length;

/** Fetches all pages again, from the first. */
async function fetchAgain(at: App): Promise<void> {
  const { settlementSource } = app.db.prisma;
  await settlementSource.updateMany({ data: { cursor: null, nextFetchAt: new Date(0) } });
  await drain(at);
}

it('a difference is listed, and would be missed without its record', async () => {
  const reasonsOf = async (at: App): Promise<readonly string[]> => {
    const id = await settling.harness.captured(settledOtherwise.other_amount);
    await nextDay(at);
    const all = await settling.differences();
    return all.flatMap(({ reason, settlement }) => (settlement.transaction?.id === id ? [reason] : []));
  };

  expect(await reasonsOf(app)).toEqual(['OTHER_AMOUNT']);
  expect(await reasonsOf(seldom.unlisted.spoil()(app))).toEqual([]);
});

it("an entry of another payment service's operation is a difference, and would count for it", async () => {
  const { harness, service } = settling;
  const reasonOf = async (at: App, id: string): Promise<string | null | undefined> => {
    const paid = await harness.create({ amount: 1000, currency: 'EUR', intent: 'CAPTURE' });
    const { prisma } = app.db;
    const transactionId = paid.transaction?.id ?? '';
    const sale = await prisma.operation.findFirstOrThrow({ where: { transactionId } });
    const source = await prisma.settlementSource.findFirstOrThrow({ where: { paymentServiceId: service } });
    const key = sale.providerKey ?? sale.id;
    const entry = entryOnWire({ id, idempotency_key: key, currency: 'EUR' });
    harness.provider.settlements.answerNext(pageOnWire([entry], source.cursor ?? ''));
    await prisma.settlementSource.updateMany({
      where: { paymentServiceId: service },
      data: { nextFetchAt: harness.clock.now() },
    });
    await drain(at);
    const found = (await settling.entries()).find((one) => one.paymentServiceSettlementId === id);
    return found && (found.difference?.reason ?? null);
  };
  await settling.drain();

  expect(await reasonOf(app, 'st_right')).toBe('NO_SUCH_OPERATION');
  expect(await reasonOf(seldom.ofAnother.spoil()(app), 'st_wrong')).toBeNull();
});

it('an overlapping page changes nothing, and would be stored again without the look and the index', async () => {
  await settling.harness.captured(1000);
  await nextDay(app);
  const before = await countOf('CHARGE');
  await fetchAgain(app);
  expect(await countOf('CHARGE')).toBe(before);
  const at = seldom.storedTwice.spoil()(app);

  await fetchAgain(at);
  expect(await countOf('CHARGE')).toBe(before);
  await query(
    app.config.DATABASE_URL ?? '',
    'DROP INDEX settlement_merchant_account_id_payment_service_id_reference_key',
  );
  await fetchAgain(at);

  expect(await countOf('CHARGE')).toBeGreaterThan(before);
});
