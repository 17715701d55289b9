import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { App, Viewer } from '../../src/app.ts';
import { createTransaction, refundTransaction } from '../../src/modules/transactions/index.ts';
import { openLane, type Lane } from './lane.ts';

let lane: Lane;
beforeAll(async () => {
  lane = await openLane();
});
afterAll(() => lane.close());

const PAYMENT = {
  amount: 100,
  currency: 'USD',
  intent: 'authorize',
  paymentMethod: { card: { number: '4111111111111111', expirationDate: '12/99' } },
  paymentSource: 'ecommerce',
  merchantInitiated: false,
  isSubsequentPayment: false,
  store: false,
};

/** Resolves when a statement waits for this backend's locks. */
async function somebodyWaitsFor(pid: number): Promise<void> {
  for (;;) {
    const [row] = await lane.judge.query<{ waiting: number }>({
      name: 'waiting_for',
      text: 'SELECT count(*)::int AS waiting FROM pg_stat_activity WHERE $1 = ANY (pg_blocking_pids(pid))',
      values: [pid],
    });
    if ((row?.waiting ?? 0) > 0) return;
  }
}

// Postgres checks constraints on the row that the waiting statement saw first, without the capture.
it('a refund that waits for the commit of its capture is let through', async () => {
  const [app] = lane.apps as readonly [App];
  const [viewer] = lane.viewers as readonly [Viewer];
  const made = await createTransaction(app, viewer, PAYMENT, null);
  if (!made.ok) throw new Error(JSON.stringify(made.refusals));
  const { id } = made.value.transaction;
  const capturing = await lane.judge.connect();
  const { rows } = await capturing.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  await capturing.query('BEGIN');
  await capturing.query(
    `UPDATE transaction SET status = 'capture_succeeded', captured_amount = 100 WHERE id = $1`,
    [id],
  );
  await capturing.query(
    `INSERT INTO operation (merchant_account_id, id, transaction_id, payment_service_id, kind, status, amount, currency,
       provider_reference, sent_at, created_at, updated_at)
     SELECT merchant_account_id, gen_random_uuid(), transaction_id, payment_service_id, 'capture', 'succeeded', 100, currency,
       'cap_1', sent_at, created_at, updated_at
     FROM operation WHERE transaction_id = $1`,
    [id],
  );

  const refunding = refundTransaction(app, viewer, id, { amount: 60 }, null);
  await somebodyWaitsFor(rows[0]?.pid ?? 0);
  await capturing.query('COMMIT');
  capturing.release();

  expect(await refunding).toMatchObject({
    ok: true,
    value: { answer: { operation: { status: 'succeeded', amount: 60 } } },
  });
});
