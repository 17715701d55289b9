import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { finishDue } from '../../src/modules/payment-links/index.ts';
import { reconcileDue } from '../../src/modules/transactions/index.ts';
import { setFailpoint } from '../../src/platform/failpoint.ts';
import { startLinks, type LinksHouse } from './house.ts';

let house: LinksHouse;
beforeAll(async () => void (house = await startLinks()));
afterAll(() => house.stop());

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
    house.clock.advance(20_000);
    while (await reconcileDue(house.server.app));
    while (await finishDue(house.server.app));
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
    const link = await house.made();
    dieAt(point);

    await expect(house.pay(link)).rejects.toThrow('The process died.');
    expect(await house.read(link.id)).toMatchObject({ status: left.toUpperCase() });
    await recover();
    expect(await house.read(link.id)).toMatchObject({ status: recovered.toUpperCase() });

    // The buyer tries once more. The link is still paid once.
    const again = await house.pay(link);
    expect(again.ok).toBe(recovered === 'active');
    const shown = await house.read(link.id);
    expect(shown).toMatchObject({
      status: 'COMPLETED',
      transactions: [{ status: 'AUTHORIZATION_SUCCEEDED' }],
    });
    expect(shown?.transactions).toHaveLength(1);
    const operations = await house.rows<{ id: string }>(
      'SELECT id FROM operation WHERE transaction_id = $1::uuid',
      shown?.transactions[0]?.id,
    );
    expect(operations.map(({ id }) => house.provider.books.get(id)?.result)).toEqual(['approved']);
    const told = await house.told(link.id);
    expect(told.filter((each) => each.endsWith(' completed'))).toHaveLength(1);
    expect(
      await house.rows('SELECT id FROM payment_link_attempt WHERE payment_link_id = $1::uuid', link.id),
    ).toHaveLength(1);
  });

  it('never makes two sweepers do work twice', async () => {
    const link = await house.made();
    dieAt('payment_link.paid');
    await expect(house.pay(link)).rejects.toThrow('The process died.');
    house.clock.advance(20_000);
    await Promise.all(Array.from({ length: 4 }, () => finishDue(house.server.app)));

    expect((await house.told(link.id)).slice(2)).toEqual(['payment-link.updated completed']);
  });
});
