import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { recordOperations, type Recording } from '../bench/money-statements.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import type { Verb } from '../support/payments.ts';

let database: TestDatabase;
let recordings: Readonly<Record<Verb, Recording>>;
beforeAll(async () => {
  database = await createTestDatabase();
  recordings = await recordOperations({ DATABASE_URL: database.url });
}, 60_000);
afterAll(() => database.drop());

it.each<[Verb, readonly string[]]>([
  ['authorize', ['payment_services_accepting', 'claim_authorize', 'settle_authorize_succeeded']],
  ['capture', ['claim_capture', 'settle_capture_succeeded']],
  ['refund', ['claim_refund', 'settle_refund_succeeded']],
  ['void', ['claim_void', 'settle_void_succeeded']],
])('%s sends these statements to the database and no other: %j', (verb, statements) => {
  expect(recordings[verb].sent.map(({ name }) => name)).toEqual(statements);
});
