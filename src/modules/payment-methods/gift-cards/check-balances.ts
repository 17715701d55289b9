import type { App, Viewer } from '../../../app.ts';
import type { GiftCardErrorCode } from '../../../connectors/gift-cards.ts';
import type { InvalidInput, NotFound } from '../../../kernel/refusal.ts';
import { ok, type Result } from '../../../kernel/result.ts';
import { parseInput } from '../../../platform/validate.ts';
import type { GiftCard } from '../gift-card.ts';
import { balancesInput, type BalancesInput } from '../input/gift-card.ts';
import { askService } from './ask.ts';
import { errorCodeOf } from './refusals.ts';
import { resolveGiftCards, type ResolvedGiftCard } from './resolve.ts';
import { updateGiftCardBalance } from './use.ts';

/** What the provider said of a card just now. Balance and currency, or an error code. */
export type CheckedBalance = Pick<GiftCard, 'bin' | 'subBin' | 'lastFour'> & {
  /** As it is now; null when it is not stored. */
  readonly giftCard: GiftCard | null;
  readonly balance: number | null;
  readonly currency: string | null;
  readonly expirationDate: Date | null;
  readonly balanceErrorCode: GiftCardErrorCode | null;
  readonly balanceRawErrorCode: string | null;
  readonly balanceRawErrorMessage: string | null;
};

/**
 * Asks the providers of up to 10 gift cards for their balances, all at once and with no transaction open, and answers in the
 * order given. Writes the balances of stored ones, each with its event when it has changed; a crash leaves some unwritten.
 * One that a provider refuses or does not answer for has an error code and is left as it was.
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

/** The same of one that is opened. */
export async function checkBalance(
  app: App,
  merchantAccountId: string,
  card: ResolvedGiftCard,
): Promise<CheckedBalance> {
  const { giftCard, bin, subBin, lastFour, service, secrets } = card;
  const askedAt = app.clock.now();
  const said = await askService(app, merchantAccountId, service, secrets);
  const shown = { bin, subBin, lastFour };
  if (said.kind !== 'known') {
    return {
      ...{ ...shown, giftCard, balance: null, currency: null, expirationDate: null },
      balanceErrorCode: errorCodeOf(said),
      balanceRawErrorCode: said.kind === 'refused' ? said.rawErrorCode : null,
      balanceRawErrorMessage: said.kind === 'refused' ? said.rawErrorMessage : null,
    };
  }
  const { money, expiresAt } = said;
  const news = giftCard && { merchantAccountId, id: giftCard.id, balance: money, expiresAt, askedAt };
  return {
    ...shown,
    giftCard: news && (await app.db.transaction((tx) => updateGiftCardBalance(app, tx, news))),
    balance: money.amount,
    currency: money.currency,
    expirationDate: expiresAt,
    ...{ balanceErrorCode: null, balanceRawErrorCode: null, balanceRawErrorMessage: null },
  };
}
