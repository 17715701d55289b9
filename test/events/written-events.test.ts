import { randomUUID } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { createTestDatabase, query } from '../support/database.ts';

const WRITE = `INSERT INTO event (merchant_account_id, id, name, target_type, target_id, payload, created_at)
  SELECT 'default', $1, $2, 'buyer', 'b', $3, now()`;
const ACCOUNT = `INSERT INTO merchant_account (id, display_name, created_at, updated_at) SELECT 'default', 'Shop', now(), now()`;

it.each([
  ['an unlisted name', 'buyer.forgotten', 'buyer.forgotten is no event name'],
  ['a missing field', 'buyer.created', "must have required property 'target'"],
])('the end of a database finds an event with %s', async (_, name, fault) => {
  const database = await createTestDatabase();
  await query(database.url, ACCOUNT);
  await query(database.url, WRITE, [randomUUID(), name, JSON.stringify({ version: 1, type: 'event', name })]);

  await expect(database.drop()).rejects.toThrow(fault);
});
