import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Viewer } from '../../src/app.ts';
import { createTransaction } from '../../src/modules/transactions/index.ts';
import type { Db } from '../../src/platform/database/db.ts';
import type { Statement } from '../../src/platform/database/statement.ts';
import { holdAt, type Held } from '../support/hold.ts';
import { CARD, createService, startHarness, type Harness } from './harness.ts';

let harness: Harness;

beforeAll(async () => {
  harness = await startHarness();
  await createService(harness.server, harness.provider.url, { displayName: 'The next one' });
});
afterAll(() => harness.stop());

/** An amount whose decline sends the payment to the next service. */
const AMOUNT = 200_012;

/** Stops the first caller of the statement with this name. */
function holdStatement(db: Db, name: string): Held {
  const arrival = Promise.withResolvers<undefined>();
  const leave = Promise.withResolvers<undefined>();
  const query = db.query.bind(db);
  const held = async <Row>(statement: Statement): Promise<readonly Row[]> => {
    if (statement.name === name) {
      Object.assign(db, { query });
      arrival.resolve(undefined);
      await leave.promise;
    }
    return query<Row>(statement);
  };
  Object.assign(db, { query: held });
  return { reached: arrival.promise, go: () => leave.resolve(undefined) };
}

it('a repeat that the next service overtakes is answered with the operation there', async () => {
  const { app, merchantAccountId } = harness.server;
  const viewer: Viewer = {
    merchantAccountId,
    scopes: [],
    apiKeyPairId: '',
    reachableMerchantAccountIds: [],
    tokenExpiresAt: harness.clock.now(),
  };
  const input = {
    amount: AMOUNT,
    currency: 'USD',
    paymentMethod: { card: { ...CARD } },
    intent: 'authorize',
    paymentSource: 'ecommerce',
    merchantInitiated: false,
    isSubsequentPayment: false,
    store: false,
  };
  const rerouting = holdAt('authorize.rerouting');
  const first = createTransaction(app, viewer, input, 'overtaken');
  await rerouting.reached;
  harness.clock.advance(60_000);
  const reading = holdStatement(app.db, 'read_operation');
  const repeat = createTransaction(app, viewer, input, 'overtaken');
  await reading.reached;

  const rerouted = holdAt('authorize.rerouted');
  rerouting.go();
  await rerouted.reached;
  reading.go();
  const repeated = await repeat;
  rerouted.go();

  expect(repeated).toMatchObject({
    ok: true,
    value: {
      operation: { status: 'pending', choice: 'after_decline' },
      transaction: { status: 'processing' },
      replayed: true,
    },
  });
  expect(await first).toMatchObject({
    ok: true,
    value: { operation: { id: repeated.ok && repeated.value.operation.id } },
  });
});
