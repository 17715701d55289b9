import { hearBuyer, type Books } from './books.ts';
import type { RealProviders } from './real/providers.ts';
import { note, type Stage } from './stage.ts';

/** The probability that a provider decides at its own page, before the buyer comes back. */
const DECIDES_AT_PAGE = 0.25;

/** The providers, where buyers decide without us. */
export type Away = {
  readonly stage: Stage;
  readonly books: Books;
  /** The pages of the real providers. */
  readonly decideAtPage: RealProviders['decideAtPage'];
};

/**
 * Takes a buyer's decision at the provider's own page. Only the first decision counts. False when the provider never
 * sent the buyer there. `token` is the token of the return.
 */
export function decideAtPage(
  { stage, books }: Away,
  token: string,
  reported: 'approved' | 'refused' | 'nothing',
): boolean {
  const entry = books.entries.find(({ request }) => request.return_url?.endsWith(token));
  if (!entry?.awaitsBuyer) return false;
  if (reported === 'nothing' || entry.heard || entry.result !== 'pending') return true;
  entry.heard = reported;
  note(stage, entry.place, `sees the buyer of ${entry.key}: ${reported}`);
  const { place, address } = entry;
  if (stage.random.chance(DECIDES_AT_PAGE)) hearBuyer({ stage, books, place, address }, entry, reported);
  return true;
}

/** Takes a buyer's money at a shop, for the voucher with this token. False when the provider waits for no money. */
export function payAtShop({ stage, books }: Away, token: string): boolean {
  const entry = books.entries.find(({ request }) => request.approval_page?.endsWith(token));
  if (!entry?.awaitsBuyer || entry.result !== 'pending') return false;
  const { place, address } = entry;
  hearBuyer({ stage, books, place, address }, entry, 'approved');
  return true;
}
