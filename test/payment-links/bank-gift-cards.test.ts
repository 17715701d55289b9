import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { ACCOUNTS, addBank, debitsOf, decideDebits } from './bank-shop.ts';
import { addGiftCard, debitKeyOf, send, visit } from './form.ts';
import type { Link } from './harness.ts';
import { giftCard, startWallets, type Wallets } from './wallet.ts';

let wallets: Wallets;
beforeAll(async () => {
  wallets = await startWallets();
  await addBank(wallets.harness);
});
afterAll(() => wallets.stop());

const DOLLARS = { amount: 1299, currency: 'USD', country: 'US', intent: 'CAPTURE' };

/** Pays a link with a gift card of 10 dollars, and the rest by a debit. Returns the page after that. */
async function pay(link: Link, account = ACCOUNTS.USD): Promise<string> {
  const applied = await send(link, await visit(link), addGiftCard(giftCard(1000)));
  const formKey = debitKeyOf(applied.html);
  const { html } = await send(
    link,
    { ...applied, formKey },
    { ...account, method: 'bank', mandate: 'accepted' },
  );
  return html;
}

const redemptionsOf = async ({ id }: Link) =>
  (
    await wallets.harness.rows<{ status: string }>(
      `SELECT r.status FROM redemption r JOIN transaction t ON t.id = r.transaction_id
       WHERE t.payment_link_id = $1::uuid`,
      id,
    )
  ).map(({ status }) => status);

it('debits what a gift card leaves, and the mandate names that amount', async () => {
  const link = await wallets.harness.made(DOLLARS);
  const html = await pay(link);

  expect(html).toContain('Your direct debit has been started');
  expect(html).toContain('<p class="amount"><bdi>$2.99</bdi></p>');
  expect(await debitsOf(wallets.harness, link)).toMatchObject([
    {
      status: 'capture_pending',
      bank: { mandate: { text: expect.stringContaining('one payment of $2.99.') } },
    },
  ]);
  expect(wallets.harness.provider.calls.at(-1)).toMatchObject({ amount: 299 });
  await decideDebits(wallets.harness);
  expect(await redemptionsOf(link)).toEqual(['succeeded']);
  expect((await wallets.harness.read(link.id))?.status).toBe('COMPLETED');
});

it('gives the gift card back when the bank refuses the debit', async () => {
  const link = await wallets.harness.made(DOLLARS);
  await pay(link, { ...ACCOUNTS.USD, ach_number: '000222222227' });
  await decideDebits(wallets.harness);

  expect(await debitsOf(wallets.harness, link)).toMatchObject([{ status: 'authorization_declined' }]);
  expect(await redemptionsOf(link)).toEqual(['reversed']);
  expect((await wallets.harness.read(link.id))?.status).toBe('ACTIVE');
});
