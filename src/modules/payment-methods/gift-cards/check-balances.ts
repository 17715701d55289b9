import type { App, Viewer } from '../../../app.ts';
import type { GiftCardErrorCode } from '../../../connectors/interface/gift-cards.ts';
import type { InvalidInput, NotFound } from '../../../kernel/refusal.ts';
import { ok, type Result } from '../../../kernel/result.ts';
import { parseInput } from '../../../platform/input/validate.ts';
import type { GiftCard } from '../model/gift-card.ts';
import { balancesInput, type BalancesInput } from '../input/gift-card.ts';
import { askService } from './ask.ts';
import { errorCodeOf } from './refusals.ts';
import { resolveGiftCards, type ResolvedGiftCard } from './resolve.ts';
import { updateGiftCardBalance } from './use.ts';

/** The provider's answer about a card: balance and currency, or an error code. */
export type CheckedBalance = Pick<GiftCard, 'bin' | 'subBin' | 'lastFour'> & {
  /** The card's current state. Null if the card is not stored. */
  readonly giftCard: GiftCard | null;
  readonly balance: number | null;
  readonly currency: string | null;
  readonly expirationDate: Date | null;
  readonly balanceErrorCode: GiftCardErrorCode | null;
  readonly balanceRawErrorCode: string | null;
  readonly balanceRawErrorMessage: string | null;
};

/**
 * Asks the providers of up to 10 gift cards for their balances. The calls run at once, with no transaction
 * open.
 *
 * - Returns the answers in the order of the input.
 * - Writes the balances of stored cards, with an event for each change. A crash leaves some balances unwritten.
 * - Returns an error code if a provider refuses a card or gives no answer. The stored card stays unchanged.
 */
export async function checkGiftCardBalances(
  app: App,
  { merchantAccountId }: Pick<Viewer, 'merchantAccountId'>,
  input: BalancesInput,
): Promise<Result<readonly CheckedBalance[], InvalidInput | NotFound>> {
  const parsed = parseInput(balancesInput, input);
  if (!parsed.ok) return parsed;
  const path = ['input', 'giftCards'];
  const resolved = await resolveGiftCards(app, { merchantAccountId, ...parsed.value, path });
  if (!resolved.ok) return resolved;
  return ok(await Promise.all(resolved.value.map((card) => checkBalance(app, merchantAccountId, card))));
}

/** Asks the provider of one opened gift card for its balance. */
export async function checkBalance(
  app: App,
  merchantAccountId: string,
  card: ResolvedGiftCard,
): Promise<CheckedBalance> {
  const { giftCard, bin, subBin, lastFour, service, secrets } = card;
  const requestedAt = app.clock.now();
  const answer = await askService(app, merchantAccountId, service, secrets);
  const shown = { bin, subBin, lastFour };
  if (answer.kind !== 'known') {
    return {
      ...{ ...shown, giftCard, balance: null, currency: null, expirationDate: null },
      balanceErrorCode: errorCodeOf(answer),
      balanceRawErrorCode: answer.kind === 'refused' ? answer.rawErrorCode : null,
      balanceRawErrorMessage: answer.kind === 'refused' ? answer.rawErrorMessage : null,
    };
  }
  const { money, expiresAt } = answer;
  const news = giftCard && { merchantAccountId, id: giftCard.id, balance: money, expiresAt, requestedAt };
  return {
    ...shown,
    giftCard: news && (await app.db.transaction((tx) => updateGiftCardBalance(app, tx, news))),
    balance: money.amount,
    currency: money.currency,
    expirationDate: expiresAt,
    ...{ balanceErrorCode: null, balanceRawErrorCode: null, balanceRawErrorMessage: null },
  };
}
