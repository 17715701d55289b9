import type { Page } from 'playwright-core';
import { startFakeGiftCards, type FakeGiftCards } from '../support/fake-gift-cards.ts';
import { createService } from '../transactions/harness.ts';
import { type Link, type LinksHarness } from './harness.ts';
import { richLink, startSellingHarness, type Shop } from './shop.ts';

/** A shop with a provider of gift cards, and buyers with stored cards. */
export type Wallets = {
  readonly harness: LinksHarness;
  readonly giftCards: FakeGiftCards;
  /** Creates a buyer and returns its id. */
  buyer(): Promise<string>;
  /** Pays with a card, stores the card for a buyer, and changes columns of its row. Returns its id. */
  storedCard(buyerId: string, change?: Readonly<Record<string, unknown>>, number?: string): Promise<string>;
  /** Creates a link in dollars with every field. */
  made(shop: Shop, input?: object): Promise<Link>;
  /** Creates a link of a buyer with two stored cards. */
  madeForBuyer(shop: Shop, input?: object): Promise<Link>;
  stop(): Promise<void>;
};

/** Returns an unused gift card with this balance. */
export const giftCard = (balance: number, end = '1') => ({
  number: `9${String(++numbers).padStart(14, '0')}${end}`,
  pin: `0${balance}`,
});
let numbers = 0;

/** The sandbox knows no card with this PIN. */
export const WRONG_PIN = '10000';

export async function startWallets(
  settings = {},
  overrides: Parameters<typeof startSellingHarness>[1] = {},
): Promise<Wallets> {
  const harness = await startSellingHarness(settings, overrides);
  const giftCards = await startFakeGiftCards();
  const definition = { definitionId: 'mock-gift-card', displayName: 'Gift cards' };
  await createService(harness.server, giftCards.url, { ...definition, currencies: ['USD', 'SAR'] });
  const wallets: Wallets = {
    ...{ harness, giftCards },
    buyer: async () => {
      const { buyer } = await harness.ask<{ buyer: { id: string } }>(
        'mutation { answer: createBuyer(input: { displayName: "Jane Doe" }) { buyer { id } } }',
      );
      return buyer.id;
    },
    storedCard: async (buyerId, change = {}, number = '4111111111111111') => {
      const { transaction } = await harness.ask<{ transaction: { paymentMethod: { id: string } } }>(
        `mutation ($input: CreateTransactionInput!) {
          answer: createTransaction(input: $input) { transaction { paymentMethod { id } } userErrors { message } } }`,
        {
          input: {
            ...{ amount: 100, currency: 'USD', country: 'US', buyerId, store: true },
            paymentMethod: { card: { number, expirationDate: '12/40' } },
          },
        },
      );
      const { id } = transaction.paymentMethod;
      for (const [column, value] of Object.entries(change))
        await harness.rows(`UPDATE payment_method SET ${column} = $2 WHERE id = $1::uuid`, id, value);
      return id;
    },
    made: (shop, input = {}) => harness.made({ ...richLink(shop), currency: 'USD', country: 'US', ...input }),
    madeForBuyer: async (shop, input = {}) => {
      const buyerId = await wallets.buyer();
      await wallets.storedCard(buyerId, {}, '5555555555554444');
      await wallets.storedCard(buyerId);
      return wallets.made(shop, { buyerId, ...input });
    },
    stop: async () => {
      await giftCards.close();
      await harness.stop();
    },
  };
  return wallets;
}

/** Fills in the form of a gift card and presses its button. Does not wait for the answer. */
export async function pressGiftCard(
  page: Page,
  { number, pin }: { readonly number: string; readonly pin: string },
): Promise<void> {
  const details = page.locator('details.gift');
  if ((await details.getAttribute('open')) === null) await details.locator('summary').click();
  await page.locator('#gift_number').fill(number);
  await page.locator('#gift_pin').fill(pin);
  await details.locator('button').click();
}

/** Adds a gift card on a page, and waits for the next page. */
export async function giveGiftCard(page: Page, card: { number: string; pin: string }): Promise<void> {
  const loaded = page.waitForEvent('load');
  await pressGiftCard(page, card);
  await loaded;
}
