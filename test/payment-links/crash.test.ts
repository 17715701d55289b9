import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { finishDue } from '../../src/modules/payment-links/index.ts';
import { reconcileDue } from '../../src/modules/transactions/index.ts';
import { setFailpoint } from '../../src/platform/failpoint.ts';
import { startLinks, type LinksHarness } from './harness.ts';

let harness: LinksHarness;
beforeAll(async () => void (harness = await startLinks()));
afterAll(() => harness.stop());

/** Kills the next process that reaches a failpoint. */
function dieAt(point: string): void {
  const remove = setFailpoint(point, () => {
    remove();
    throw new Error('The process died.');
  });
}

/** Advances beyond every lease of a provider's caller and of an attempt, then recovers. */
async function recover(): Promise<void> {
  for (let round = 0; round < 3; round++) {
    harness.clock.advance(20_000);
    while (await reconcileDue(harness.server.app));
    while (await finishDue(harness.server.app));
  }
}

describe('a process that dies while a link is paid', () => {
  it.each([
    // The failpoint, the link's status after the death, and its status after recovery.
    ['payment_link.claiming', 'active', 'active'],
    ['payment_link.claimed', 'processing', 'active'],
    ['authorize.claimed', 'processing', 'completed'],
    ['authorize.called', 'processing', 'completed'],
    ['authorize.settling', 'processing', 'completed'],
    ['authorize.settled', 'processing', 'completed'],
    ['payment_link.paid', 'processing', 'completed'],
    ['payment_link.finishing', 'processing', 'completed'],
    ['payment_link.finished', 'completed', 'completed'],
  ])('at %s leaves the link %s, and in the end %s and paid once', async (point, left, recovered) => {
    const link = await harness.made();
    dieAt(point);

    await expect(harness.pay(link)).rejects.toThrow('The process died.');
    expect(await harness.read(link.id)).toMatchObject({ status: left.toUpperCase() });
    await recover();
    expect(await harness.read(link.id)).toMatchObject({ status: recovered.toUpperCase() });

    // The buyer tries once more. The link is still paid once.
    const again = await harness.pay(link);
    expect(again.ok).toBe(recovered === 'active');
    const shown = await harness.read(link.id);
    expect(shown).toMatchObject({
      status: 'COMPLETED',
      transactions: [{ status: 'AUTHORIZATION_SUCCEEDED' }],
    });
    expect(shown?.transactions).toHaveLength(1);
    const operations = await harness.rows<{ key: string }>(
      'SELECT coalesce(provider_key, id) AS key FROM operation WHERE transaction_id = $1::uuid',
      shown?.transactions[0]?.id,
    );
    expect(operations.map(({ key }) => harness.provider.books.get(key)?.result)).toEqual(['approved']);
    const notified = await harness.notified(link.id);
    expect(notified.filter((each) => each.endsWith(' completed'))).toHaveLength(1);
    expect(
      await harness.rows('SELECT id FROM payment_link_attempt WHERE payment_link_id = $1::uuid', link.id),
    ).toHaveLength(1);
  });

  it('never makes two sweepers do work twice', async () => {
    const link = await harness.made();
    dieAt('payment_link.paid');
    await expect(harness.pay(link)).rejects.toThrow('The process died.');
    harness.clock.advance(20_000);
    await Promise.all(Array.from({ length: 4 }, () => finishDue(harness.server.app)));

    expect((await harness.notified(link.id)).slice(2)).toEqual(['payment-link.updated completed']);
  });
});
