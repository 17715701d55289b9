import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { digestOf, writeTicket } from '../../src/modules/sessions/index.ts';
import { createTestDatabase, query, type TestDatabase } from '../support/database.ts';
import { startFakeProvider, type FakeProvider } from '../support/fake-provider.ts';
import { authorization, payloadOf, post } from '../support/payments.ts';
import { startProcess, type ServerProcess } from '../support/process.ts';
import { until } from '../support/until.ts';
import { createService } from './harness.ts';
import { signedIn, type Someone } from './refund-people.ts';

const MASTER_KEY = randomBytes(32).toString('base64');

let database: TestDatabase;
let provider: FakeProvider;
let survivor: ServerProcess;
let service: string;

const start = (failpoints: string): Promise<ServerProcess> =>
  startProcess({
    ...{ DATABASE_URL: database.url, PAYGRAPH_MASTER_KEY: MASTER_KEY, PAYGRAPH_FAILPOINTS: failpoints },
    ...{ PAYGRAPH_REFUND_APPROVAL: 'USD:500', PAYGRAPH_PROVIDER_DEADLINE_MS: '1000' },
  });

beforeAll(async () => {
  [database, provider] = await Promise.all([createTestDatabase(), startFakeProvider()]);
  survivor = await start('');
  service = await createService(survivor, provider.url);
}, 120_000);
afterAll(async () => {
  await survivor.stop();
  await Promise.all([provider.close(), database.drop()]);
});

/** Signs a person in at a process, by a row of the database. */
async function personAt(server: ServerProcess, name: string): Promise<Someone> {
  const [id, secret] = [randomUUID(), randomBytes(32).toString('base64url')];
  await query(
    database.url,
    `INSERT INTO dashboard_session (merchant_account_id, id, person, person_id, role, signed_in_with, digest, rotated_at,
       created_at, expires_at)
     VALUES ('default', $1, $2, gen_random_uuid(), 'support', 'password', $3, now(), now(), now() + interval '1 hour')`,
    [id, name, digestOf(secret)],
  );
  return signedIn(server, name, writeTicket({ id, secret }));
}

/** Captures a payment, and asks for a refund of 600. */
async function requested(): Promise<{ readonly payment: string; readonly id: string }> {
  const paid = await post(survivor, authorization(2000, service));
  const payment = payloadOf(paid.text)?.transaction?.id ?? '';
  await post(survivor, { verb: 'capture', variables: { id: payment, input: {} } });
  const kim = await personAt(survivor, 'kim@shop.example');
  const { approval } = await kim.refund(payment, { amount: 600 }, randomUUID());
  return { payment, id: approval?.id ?? '' };
}

describe('an approver whose process is killed', () => {
  it.each(['refund-approval.approved', 'refund.claimed', 'refund.called', 'refund.settling'])(
    'leaves exactly one refund (%s)',
    async (point) => {
      const { payment, id } = await requested();
      const doomed = await start(`${point}=kill`);
      const robin = await personAt(doomed, 'robin@shop.example');

      await expect(robin.approve(id)).rejects.toThrow();
      expect((await doomed.ended).code).toBeNull();
      const [killed] = await query<{ status: string }>(
        database.url,
        'SELECT status FROM refund_approval WHERE id = $1',
        [id],
      );
      expect(killed).toEqual({ status: 'approved' });
      // The lease of the dead process ends at once, so that the test need not wait for a minute.
      await query(
        database.url,
        'UPDATE refund_approval SET next_attempt_at = now() WHERE id = $1 AND operation_id IS NULL',
        [id],
      );

      const refundsOf = () =>
        query<{ status: string; amount: number; key: string }>(
          database.url,
          `SELECT o.status, o.amount, o.provider_key AS key FROM operation o
           WHERE o.transaction_id = $1 AND o.kind = 'refund'`,
          [payment],
        );
      await until(async () => (await refundsOf()).some(({ status }) => status === 'succeeded'), 'the refund');
      const refunds = await refundsOf();
      expect(refunds).toMatchObject([{ status: 'succeeded', amount: 600 }]);
      const approved = [...provider.books].filter(([key]) => refunds.some((refund) => refund.key === key));
      expect(approved).toMatchObject([[refunds[0]?.key, { result: 'approved', amount: 600 }]]);
      const [answer] = await query<{ refunded: number }>(
        database.url,
        'SELECT refunded_amount AS refunded FROM transaction WHERE id = $1',
        [payment],
      );
      expect(answer).toEqual({ refunded: 600 });
      const again = await (await personAt(survivor, 'robin@shop.example')).approve(id);
      expect(again).toMatchObject({ refund: { status: 'SUCCEEDED', amount: 600 }, userErrors: [] });
    },
    120_000,
  );
});
