import { expect, it } from '@jest/globals';
import { SHOP, type Core } from './core-desk.ts';

type Decision = 'approve' | 'refuse' | 'nothing';

/** Tests buyers who go to the provider's page and come back, by GET and by POST. */
export function describeCoreReturns(coreOf: () => Core): void {
  describeReturns(coreOf, 'GET');
  describeReturns(coreOf, 'POST');

  it('sends the buyer there by a form', async () => {
    const core = coreOf();
    const { goesByForm } = core.provider;
    if (!goesByForm) return;
    const id = await core.pay('AUTHORIZE', goesByForm);

    const page = await (await fetch((await core.addressesOf(id)).there)).text();

    expect(page).toMatch(/<form method="post" action="https?:/);
    await comeBack(core, id, 'POST', 'approve');
    expect(await core.ledger(id)).toEqual([`authorize ${goesByForm.amount}`]);
  });
}

function describeReturns(coreOf: () => Core, method: 'GET' | 'POST'): void {
  const leave = async () => {
    const core = coreOf();
    const id = await core.pay();
    const approved = [`authorize ${core.money.amount}`];
    const { there } = await core.addressesOf(id);
    return { core, id, there, approved, back: (decision: Decision) => comeBack(core, id, method, decision) };
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
    ['refuse', 'approve', 'authorization_failed'],
    ['nothing', 'approve', 'authorization_succeeded'],
  ] as const)(
    `keeps a decision when the buyer goes back: %s, then %s, by ${method}`,
    async (one, two, status) => {
      const { core, id, there, approved, back } = await leave();

      await back(one);
      // The page may open again, as after the back button.
      await (await fetch(there, { redirect: 'manual' })).arrayBuffer();
      const last = await back(two);

      expect(last.address).toBe(`${SHOP}?transaction_id=${id}&transaction_status=${status}`);
      expect(await core.ledger(id)).toEqual(status === 'authorization_succeeded' ? approved : []);
    },
  );
}

/** Lets the buyer decide at the provider's page and come back. Returns the status and the merchant's address. */
async function comeBack(core: Core, id: string, method: 'GET' | 'POST', decision: Decision) {
  const { back } = await core.addressesOf(id);
  const key = await core.keyOf(id, 'authorize');
  const parameters = new URLSearchParams({ ...core.provider.returned?.(decision, key) });
  const response = await (method === 'GET'
    ? fetch(`${back}?${parameters.toString()}`, { redirect: 'manual' })
    : fetch(back, { method, body: parameters, redirect: 'manual' }));
  await response.arrayBuffer();
  return { status: response.status, address: response.headers.get('location') };
}
