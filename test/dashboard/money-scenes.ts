import { press } from './harness.ts';
import type { Ids, Scene } from './screenshots.ts';

/** The pages of settlements. */
export const SETTLEMENTS: readonly Scene[] = [
  { name: 'settlements', path: () => 'settlements' },
  { name: 'settlements-differences', path: () => 'settlements?show=differences' },
  { name: 'settlements-payouts', path: () => 'settlements?show=payouts' },
  { name: 'settlements-payout', path: () => 'settlements?payout=po_1' },
  { name: 'settlement', path: ({ entry }) => `settlements/${entry}` },
  {
    name: 'settlement-explain',
    path: ({ entry }) => `settlements/${entry}`,
    act: async (page) => {
      await press(page, 'Explain');
      await page.getByLabel('Explanation').fill('The provider kept a deposit. See ticket 4711.');
    },
  },
];

const DIFFERENCE = ({ difference }: Ids): string => `differences/${difference}`;

/** The pages of differences, and a payment with one. */
export const DIFFERENCES: readonly Scene[] = [
  { name: 'differences', path: () => 'differences' },
  { name: 'differences-nothing', path: () => 'differences?show=resolved' },
  { name: 'difference', path: DIFFERENCE },
  { name: 'difference-adopt', path: DIFFERENCE, act: (page) => press(page, 'Adopt') },
  {
    name: 'difference-dismiss',
    path: DIFFERENCE,
    act: async (page) => {
      await press(page, 'Dismiss');
      await page.getByLabel('Reason').fill('The provider took its report back. See ticket 4712.');
    },
  },
  { name: 'payment-difference', path: ({ differing }) => `payments/${differing}` },
  { name: 'payment-elsewhere', path: ({ elsewhere }) => `payments/${elsewhere}` },
];

const GIFT_CARD = ({ giftCard }: Ids): string => `gift-cards/${giftCard}`;

/** The pages of gift cards. */
export const GIFT_CARDS: readonly Scene[] = [
  { name: 'gift-cards', path: () => 'gift-cards' },
  { name: 'gift-cards-store', path: () => 'gift-cards', act: (page) => press(page, 'Store gift card') },
  {
    name: 'gift-cards-balance',
    path: () => 'gift-cards',
    act: async (page) => {
      await press(page, 'Check balance');
      await page.getByLabel('Number').fill('9000 0000 0000 0051');
      await page.getByLabel('PIN').fill('02500');
      await press(page, 'Ask provider');
      await page.locator('.summary').waitFor();
    },
  },
  { name: 'gift-card', path: GIFT_CARD },
  { name: 'gift-card-delete', path: GIFT_CARD, act: (page) => press(page, 'Delete') },
];

/** The pages of refunds that a second person must approve. */
export const REFUND_REQUESTS: readonly Scene[] = [
  { name: 'refund-requests', path: () => 'refund-requests' },
  { name: 'refund-requests-all', path: () => 'refund-requests?show=all' },
  {
    name: 'refund-requests-approve',
    path: () => 'refund-requests',
    act: (page) => page.getByRole('button', { name: 'Approve' }).first().click(),
  },
];
