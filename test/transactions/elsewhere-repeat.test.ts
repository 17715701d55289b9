import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { providerKeysOf } from '../../src/modules/idempotency/index.ts';
import { bookElsewhere } from '../../src/modules/transactions/elsewhere/book.ts';
import type { MadeElsewhere } from '../../src/modules/transactions/elsewhere/made-elsewhere.ts';
import { mutationOf } from '../../src/modules/transactions/model/operation.ts';
import type { TestDatabase } from '../support/database.ts';
import { dumpAndRestore } from '../support/dump.ts';
import { startFakeProvider, type FakeProvider } from '../support/fake-provider.ts';
import { authorization, DOCUMENTS, type Order, type Payload } from '../support/payments.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { createService } from './harness.ts';
import { inboxAt } from './inbox.ts';

// A restore loses operations, and the provider reports them without our key. A repeat of the request then reaches the
// provider, which answers as before. The money of one operation must not count twice.

const AMOUNT = 1000;
const settings = { PAYGRAPH_MASTER_KEY: randomBytes(32).toString('base64') };

let provider: FakeProvider;
let server: TestServer;
let restored: TestServer;
let backup: TestDatabase;
let url: string;

const send = async (at: TestServer, { verb, variables }: Order, key: string): Promise<Payload> => {
  const { body } = await at.graphql<{ payload: Payload }>(DOCUMENTS[verb], { ...variables, key });
  if (!body.data) throw new Error(JSON.stringify(body.errors));
  return body.data.payload;
};

const part = (verb: 'capture' | 'refund', id: string, amount: number, final = false): Order => ({
  verb,
  variables: { id, input: verb === 'capture' ? { amount, final } : { amount } },
});

const keys = { capture: randomUUID(), refund: randomUUID(), final: randomUUID() };
let ids: Record<'captured' | 'refunded' | 'closed', string>;

beforeAll(async () => {
  provider = await startFakeProvider();
  server = await startTestServer({ settings });
  const service = await createService(server, provider.url, { definitionId: 'mock-acquirer' });
  const pay = async (): Promise<string> =>
    (await send(server, authorization(AMOUNT, service), randomUUID())).transaction?.id ?? '';
  ids = { captured: await pay(), refunded: await pay(), closed: await pay() };
  await send(server, part('capture', ids.refunded, AMOUNT), randomUUID());
  backup = await dumpAndRestore(server.app.config.DATABASE_URL ?? '');
  await send(server, part('capture', ids.captured, 400), keys.capture);
  await send(server, part('refund', ids.refunded, 300), keys.refund);
  await send(server, part('capture', ids.closed, 400, true), keys.final);
  restored = await startTestServer({ settings, database: backup });
  const { body } = await restored.graphql<{
    paymentServices: { nodes: readonly { id: string; webhookUrl: string }[] };
  }>('{ paymentServices(first: 100) { nodes { id webhookUrl } } }');
  url = body.data?.paymentServices.nodes.find(({ id }) => id === service)?.webhookUrl ?? '';
});
afterAll(async () => {
  await Promise.all([server.stop(), restored.stop()]);
  await provider.close();
});

/** Reports the operation of a request, without our key. */
async function report(verb: 'capture' | 'refund', id: string, amount: number): Promise<void> {
  const ours = await server.app.db.prisma.operation.findFirstOrThrow({
    where: { transactionId: id, kind: verb },
    orderBy: { createdAt: 'desc' },
    include: { transaction: true },
  });
  const status = await inboxAt(url).tell({
    ...{ event: `${verb}.succeeded`, amount, currency: 'USD' },
    payment_service_reference: ours.providerReference,
    payment_service_transaction_id: ours.transaction.paymentServiceTransactionId,
  });
  expect(status).toBe(200);
  await restored.http.webhooksApplied();
}

describe('a repeat of a request whose operation a report booked', () => {
  it.each(['capture', 'refund'] as const)('of a %s does not count its money twice', async (verb) => {
    const [id, amount] = verb === 'capture' ? [ids.captured, 400] : [ids.refunded, 300];
    await report(verb, id, amount);

    const repeat = await send(restored, part(verb, id, amount), keys[verb]);

    const field = verb === 'capture' ? 'capturedAmount' : 'refundedAmount';
    expect(repeat).toMatchObject({
      operation: { status: 'DECLINED', errorCode: 'duplicate_transaction' },
      transaction: { [field]: amount },
    });
    const entries = await restored.app.db.prisma.ledgerEntry.findMany({
      where: { transactionId: id, kind: verb, amount },
    });
    expect(entries).toHaveLength(1);
    expect(await send(restored, part(verb, id, amount), keys[verb])).toMatchObject({ replayed: true });
  });
});

describe('a repeat of a final capture that a report booked', () => {
  it('leaves the payment closed, since the provider released the rest', async () => {
    await report('capture', ids.closed, 400);
    const repeat = await send(restored, part('capture', ids.closed, 400, true), keys.final);
    const further = await send(restored, part('capture', ids.closed, 100), randomUUID());

    expect(repeat.operation).toMatchObject({ status: 'DECLINED', errorCode: 'duplicate_transaction' });
    expect(further).toMatchObject({ operation: null, transaction: null });
    expect(further.userErrors).toHaveLength(1);
  });
});

describe('a key that the provider copied to an operation of another kind', () => {
  it('is refused, and answers nothing of that operation', async () => {
    const { app } = restored;
    const key = randomUUID();
    const { id, ...about } = await paidAt(restored);
    await send(restored, part('capture', id, 600), randomUUID());
    const of = { merchantAccountId: about.merchantAccountId, mutation: mutationOf.capture, key, part: '' };
    const [lostKey = ''] = await providerKeysOf(app, of);
    const refund: MadeElsewhere = {
      kind: 'refund',
      ...{ reference: randomUUID(), money: { amount: 100, currency: 'USD' }, total: null },
      ...{ final: null, captureReference: null, occurredAt: null, lostKey },
      ...{ rawResponseCode: null, rawResponseDescription: null },
    };
    await bookElsewhere(app, { ...about, transactionId: id }, { made: refund, isLate: true });

    expect(await send(restored, part('capture', id, 100), key)).toMatchObject({
      ...{ operation: null, userErrors: [{ code: 'IDEMPOTENCY_KEY_REUSED' }] },
    });
    const { capturedAmount } = await app.db.prisma.transaction.findFirstOrThrow({ where: { id } });
    expect(capturedAmount).toBe(600);
  });

  it('books nothing if the repeat was made before the report is applied', async () => {
    const { app } = restored;
    const { id, ...about } = await paidAt(restored);
    const [key, other] = [randomUUID(), randomUUID()];
    await send(restored, part('capture', id, 400), key);
    const of = { merchantAccountId: about.merchantAccountId, mutation: mutationOf.capture, key, part: '' };
    const [lostKey = ''] = await providerKeysOf(app, of);
    const report: MadeElsewhere = {
      ...{ kind: 'capture', reference: other, money: { amount: 400, currency: 'USD' }, total: null },
      ...{ final: null, captureReference: null, occurredAt: null, lostKey },
      ...{ rawResponseCode: null, rawResponseDescription: null },
    };

    const result = await bookElsewhere(app, { ...about, transactionId: id }, { made: report, isLate: true });

    expect(result).toMatchObject({ kind: 'decided', changed: false });
    const { capturedAmount } = await app.db.prisma.transaction.findFirstOrThrow({ where: { id } });
    expect(capturedAmount).toBe(400);
  });

  async function paidAt(at: TestServer) {
    const { paymentServiceId, merchantAccountId } = await at.app.db.prisma.operation.findFirstOrThrow({
      where: { transactionId: ids.captured, kind: 'authorize' },
    });
    const { transaction } = await send(at, authorization(AMOUNT, paymentServiceId), randomUUID());
    return { id: transaction?.id ?? '', paymentServiceId, merchantAccountId };
  }
});
