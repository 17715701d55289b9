import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { finishDue, startPaymentLinkSweeper } from '../../src/modules/payment-links/index.ts';
import { reconcileDue } from '../../src/modules/transactions/index.ts';
import { setFailpoint } from '../../src/platform/failpoint.ts';
import { holdFirstAt } from '../support/hold.ts';
import { startLinks, type Link, type LinksHarness } from './harness.ts';
import { until } from '../support/until.ts';

/** The amount of a payment that the provider accepts and approves later. */
const APPROVED_LATER = 600_001;
const DECLINED_LATER = 600_002;

let harness: LinksHarness;
beforeAll(async () => void (harness = await startLinks('mock-acquirer')));
afterAll(() => harness.stop());

const statusOf = async (link: Link): Promise<string> => (await harness.found(link)).status;

/** Reads when the sweeper would check a link's attempt: in how many minutes, or at once. */
async function dueIn({ id }: Link): Promise<string | null> {
  const [row] = await harness.rows<{ due: string | null }>(
    `SELECT CASE WHEN look_at = '-infinity' THEN 'at once'
       ELSE round(extract(epoch FROM look_at - created_at) / 60)::text END AS due
     FROM payment_link_attempt WHERE payment_link_id = $1::uuid ORDER BY created_at DESC LIMIT 1`,
    id,
  );
  return row?.due ?? null;
}

/** Creates a link whose payment the provider decides later. */
async function undecided(amount: number): Promise<Link> {
  const link = await harness.made({ amount });
  expect(await harness.pay(link)).toMatchObject({ ok: true, value: { link: { status: 'processing' } } });
  return link;
}

const decide = async (): Promise<void> => {
  harness.clock.advance(60_000);
  while (await reconcileDue(harness.server.app));
};

describe('a payment that is decided later', () => {
  it.each([
    [APPROVED_LATER, 'completed'],
    [DECLINED_LATER, 'active'],
  ])('(of %d) makes its link %s, without an earlier check', async (amount, status) => {
    const link = await undecided(amount);
    expect(await dueIn(link)).toBe('60');
    while (await finishDue(harness.server.app));
    expect([await statusOf(link), await dueIn(link)]).toEqual(['processing', '60']);

    await decide();
    expect(await dueIn(link)).toBe('at once');
    while (await finishDue(harness.server.app));
    expect([await statusOf(link), await dueIn(link)]).toEqual([status, null]);
    expect((await harness.notified(link.id)).slice(2)).toEqual([`payment-link.updated ${status}`]);
  });

  it('updates its link even when the settling process died at once', async () => {
    const link = await undecided(APPROVED_LATER);
    const remove = setFailpoint('authorize.settled', () => {
      remove();
      throw new Error('The process died.');
    });
    await decide();

    expect([await statusOf(link), await dueIn(link)]).toEqual(['processing', 'at once']);
    while (await finishDue(harness.server.app));
    expect(await statusOf(link)).toBe('completed');
  });

  it('updates its link even when a sweeper had just found it undecided', async () => {
    const link = await undecided(APPROVED_LATER);
    await harness.rows(
      'UPDATE payment_link_attempt SET look_at = created_at WHERE payment_link_id = $1::uuid',
      link.id,
    );
    const held = holdFirstAt('payment_link.undecided');
    const sweeping = finishDue(harness.server.app);
    await held.reached;
    await decide();
    held.go();
    await sweeping;

    expect([await statusOf(link), await dueIn(link)]).toEqual(['processing', 'at once']);
    while (await finishDue(harness.server.app));
    expect(await statusOf(link)).toBe('completed');
  });

  it('updates its link while its own request still waits to check', async () => {
    const link = await harness.made({ amount: APPROVED_LATER });
    const held = holdFirstAt('payment_link.undecided');
    const paying = harness.pay(link);
    await held.reached;
    await decide();
    held.go();

    expect(await paying).toMatchObject({ ok: true, value: { link: { status: 'processing' } } });
    expect(await dueIn(link)).toBe('at once');
    while (await finishDue(harness.server.app));
    expect(await statusOf(link)).toBe('completed');
  });

  it('wakes the sweeper, and a payment without a link does not', async () => {
    const { app } = harness.server;
    const sweeper = startPaymentLinkSweeper({ ...app, clock: harness.clock, publicUrl: app.publicUrl });
    let woken = 0;
    Object.assign(app, {
      wakePaymentLinks: () => {
        woken += 1;
        sweeper.poke();
      },
    });
    try {
      const link = await undecided(APPROVED_LATER);
      const before = woken;
      await harness.ask(
        `mutation { answer: createTransaction(input: { amount: 100, currency: "USD",
           paymentMethod: { card: { number: "4111111111111111", expirationDate: "12/40" } } }) { replayed } }`,
      );
      expect(woken).toBe(before);
      await decide();
      expect(woken).toBeGreaterThan(before);
      await until(async () => (await statusOf(link)) === 'completed');
    } finally {
      await sweeper.stop();
    }
  });
});
