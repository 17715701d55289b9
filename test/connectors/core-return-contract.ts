import { expect, it } from '@jest/globals';
import type { Manner } from './contract-provider.ts';
import { SHOP, type BuyerDecision, type Core } from './core-desk.ts';

/** Tests buyers who go to the provider's page and come back, by GET and by POST. */
export function describeCoreReturns(coreOf: () => Core, manner: Manner): void {
  describeReturns(coreOf, 'GET');
  describeReturns(coreOf, 'POST');
  describeAbsence(coreOf, manner);

  it('sends the buyer there by a form', async () => {
    const core = coreOf();
    const { goesByForm } = core.provider;
    if (!goesByForm) return;
    const id = await core.pay('AUTHORIZE', goesByForm);

    expect(await core.openPage(await core.pageOf(id))).toMatch(/<form method="post" action="https?:/);
    await core.comeBack(id, 'approve', 'POST');
    expect(await core.ledger(id)).toEqual([`authorize ${goesByForm.amount}`]);
  });
}

function describeReturns(coreOf: () => Core, method: 'GET' | 'POST'): void {
  const leave = async () => {
    const core = coreOf();
    const id = await core.pay();
    const approved = [`authorize ${core.money.amount}`];
    const page = await core.pageOf(id);
    return {
      core,
      id,
      page,
      approved,
      back: (decision: BuyerDecision) => core.comeBack(id, decision, method),
    };
  };

  it(`continues the payment once after a return by ${method}, also after two at once`, async () => {
    const { core, id, approved, back } = await leave();

    const first = await Promise.all([back('approve'), back('approve')]);
    const later = await back('approve');

    expect([...first, later].map(({ status }) => status)).toEqual([303, 303, 303]);
    expect(later.address).toBe(`${SHOP}?transaction_id=${id}&transaction_status=authorization_succeeded`);
    expect(await core.ledger(id)).toEqual(approved);
    expect(core.done(await core.keyOf(id, 'authorize'))).toBe(1);
  });

  it.each([
    ['approve', 'refuse', 'authorization_succeeded'],
    ['approve', 'nothing', 'authorization_succeeded'],
    // A provider may decline a buyer whom it could not authenticate.
    ['refuse', 'approve', 'authorization_(failed|declined)'],
    ['nothing', 'approve', 'authorization_succeeded'],
  ] as const)(
    `keeps a decision when the buyer goes back: %s, then %s, by ${method}`,
    async (one, two, status) => {
      const { core, id, page, approved, back } = await leave();

      await back(one);
      // The page may open again, as after the back button.
      await core.openPage(page);
      const [address = '', last] = (await back(two)).address?.split('transaction_status=') ?? [];
      expect(address).toBe(`${SHOP}?transaction_id=${id}&`);
      expect(last).toMatch(new RegExp(`^${status}$`));
      expect(await core.ledger(id)).toEqual(status === 'authorization_succeeded' ? approved : []);
    },
  );
}

/** Tests buyers who go to the provider's page and never come back, or too late. */
function describeAbsence(coreOf: () => Core, { looksUp }: Manner): void {
  it('ends the payment of a buyer who never comes back, and a late return changes nothing', async () => {
    const core = coreOf();
    const id = await core.pay();
    const key = await core.keyOf(id, 'authorize');
    const deliver = () => core.deliver(core.provider.webhooks?.() ?? []);

    await core.goOnTo((await core.payment(id)).approvalExpiresAt);
    core.provider.closes?.(key);
    await deliver();

    expect(await core.payment(id)).toMatchObject({
      ...{ status: 'authorization_failed', errorCode: 'incomplete_buyer_approval' },
    });
    const late = await core.comeBack(id, 'approve');
    await deliver();
    expect(late.address).toBe(`${SHOP}?transaction_id=${id}&transaction_status=authorization_failed`);
    expect([await core.ledger(id), core.done(key)]).toEqual([[], 0]);
  });

  if (!looksUp)
    it('lists the payment of a buyer who never comes back for a person, if no webhook tells its end', async () => {
      const core = coreOf();
      const id = await core.pay();

      await core.goOnTo((await core.payment(id)).approvalExpiresAt);
      const { unknownAt, decisionUntil } = await core.operationOf(id, 'authorize');
      expect(unknownAt).toBeNull();
      await core.goOnTo(decisionUntil);

      expect(await core.operationOf(id, 'authorize')).toMatchObject({
        ...{ status: 'pending', unknownAt: expect.any(Date), unknownCause: 'undecided' },
      });
      expect(await core.ledger(id)).toEqual([]);
    });
}
