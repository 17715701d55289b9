import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { recordOperations, tripsOf, type Recording } from '../bench/money-statements.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import type { Verb } from '../support/payments.ts';
import { createSteppedClock } from '../support/stepped-clock.ts';
import { startHarness } from './harness.ts';

let database: TestDatabase;
let recordings: Readonly<Record<Verb, Recording>>;
beforeAll(async () => {
  database = await createTestDatabase();
  recordings = await recordOperations(
    { DATABASE_URL: database.url },
    { clock: createSteppedClock(), holding: { present_card: 'payment_services_accepting' } },
  );
}, 60_000);
afterAll(() => database.drop());

it.each<[Verb, readonly (readonly string[])[]]>([
  [
    'authorize',
    [['present_card', 'payment_services_accepting'], ['claim_authorize'], ['settle_authorize_succeeded']],
  ],
  ['capture', [['claim_capture'], ['settle_capture_succeeded']]],
  ['refund', [['claim_refund'], ['settle_refund_succeeded']]],
  ['void', [['claim_void'], ['settle_void_succeeded']]],
])('%s sends these statements to the database in these round trips, and no other: %j', (verb, trips) => {
  expect(tripsOf(recordings[verb].sent).map((trip) => trip.map(({ name }) => name))).toEqual(trips);
});

it('a refusal and a replay send one read after the claim', async () => {
  const harness = await startHarness();
  const { db } = harness.server.app;
  const query = db.query.bind(db);
  const sent: (string | null)[] = [];
  const recording: typeof db.query = (statement) => {
    sent.push(statement.name);
    return query(statement);
  };
  const id = await harness.authorized(1000);
  await harness.capture(id, { amount: 400 }, 'first');
  Object.assign(db, { query: recording });

  const refused = await harness.capture(id, { amount: 601 }, 'second');
  const replayed = await harness.capture(id, { amount: 400 }, 'first');

  expect(refused.userErrors).toMatchObject([{ code: 'OPERATION_NOT_ALLOWED' }]);
  expect(replayed).toMatchObject({ replayed: true, userErrors: [] });
  const both = ['claim_capture', 'read_money_key_and_subject'];
  // The fields of the answer may read more. A process reads the moves of accounts every two seconds.
  expect(
    sent.filter((name) => !/^(relay_|read_operations_|read_follow_ups_|accounts_away)/.test(name ?? '')),
  ).toEqual([...both, ...both]);
  await harness.stop();
});
