import type { App } from '../../../../app.ts';
import { invalidInput, type InvalidInput, type NotFound } from '../../../../kernel/refusal.ts';
import { ok, refuse, type Result } from '../../../../kernel/result.ts';
import {
  checkBalance,
  giftCardDigest,
  giftCardRefused,
  pinDigest,
  repeatedGiftCards,
  resolveGiftCards,
  type GiftCardRefused,
  type ResolvedGiftCard,
} from '../../../payment-methods/index.ts';
import { NOBODY_PAYS_REST, type GiftCardsInput } from '../../input/gift-cards.ts';
import type { CreateTransactionInput } from '../../input/inputs.ts';
import type { Paying } from '../../instrument/paying.ts';
import { NO_MEANS } from '../../instrument/sealed-means.ts';
import type { NewRedemption } from '../../redemption/redemptions.sql.ts';
import { GIFT_CARDS_ALONE } from '../../model/transaction.ts';
import { sealForRedemption } from '../../redemption/sealed-gift-card.ts';

/** The means of a payment. Gift cards pay first, and the payment method pays the rest. */
export type SplitTender = Paying & {
  /** The redemptions in the given order. */
  readonly redemptions: readonly NewRedemption[];
  /** The sum of the redemptions, in minor units. */
  readonly giftCardAmount: number;
  /** The requested payment service. Null means the best one. */
  readonly paymentServiceId: string | null;
};

export type SplitTenderRefusal = InvalidInput | NotFound | GiftCardRefused;

type Asker = { readonly merchantAccountId: string };

const PATH = ['input', 'giftCards'];

/**
 * Opens the gift cards of a payment and decides the part of each. Asks the providers for the balances of cards without
 * a given amount. When gift cards pay everything, the payment method takes no part.
 * Refuses unknown and repeated cards, cards in another currency or of another buyer, and an amount that nobody pays.
 * Writes only the balances. Must not be called inside a database transaction.
 */
export async function splitTender(
  app: App,
  asker: Asker,
  input: CreateTransactionInput,
  paying: Paying,
): Promise<Result<SplitTender, SplitTenderRefusal>> {
  const { giftCards, paymentServiceId } = input;
  if (!giftCards) return ok({ ...paying, redemptions: [], giftCardAmount: 0, paymentServiceId });
  const cards = await open(app, asker, { ...input, giftCards }, paying);
  if (!cards.ok) return cards;
  const amounts = await decideAmounts(app, asker, input, cards.value, giftCards);
  if (!amounts.ok) return amounts;
  const giftCardAmount = amounts.value.reduce((sum, amount) => sum + amount, 0);
  const isAll = giftCardAmount === input.amount;
  const refusal = isAll ? refuseAlone(input) : refuseBeside(input);
  if (refusal) return refuse(refusal);
  const plan = { redemptions: await seal(app, asker, cards.value, amounts.value), giftCardAmount };
  if (!isAll) return ok({ ...paying, ...plan, paymentServiceId });
  const first = cards.value[amounts.value.findIndex((amount) => amount > 0)];
  return ok({ ...paying, ...ALONE, ...plan, paymentServiceId: first?.service.id ?? null });
}

/** Makes the gift cards' part of an idempotency key's record. Numbers and PINs appear only as keyed digests. */
export const canonicalGiftCards = (
  { vault }: Pick<App, 'vault'>,
  { merchantAccountId }: Asker,
  giftCards: GiftCardsInput,
) =>
  Promise.all(
    giftCards.map(async (each) => ({
      amount: each.amount,
      ...('id' in each
        ? { id: each.id }
        : {
            number: await giftCardDigest(vault, merchantAccountId, each.number),
            pin: await pinDigest(vault, merchantAccountId, each),
          }),
    })),
  );

const ALONE = {
  method: GIFT_CARDS_ALONE,
  instrumentType: null,
  ...NO_MEANS,
  tokenised: null,
  stored: null,
  made: null,
} as const;

type Given = CreateTransactionInput & { readonly giftCards: GiftCardsInput };

async function open(
  app: App,
  { merchantAccountId }: Asker,
  { giftCards, currency, paymentMethod, paymentServiceId }: Given,
  { buyerId }: Paying,
): Promise<Result<readonly ResolvedGiftCard[], SplitTenderRefusal>> {
  const isAlone = !Object.values(paymentMethod).some(Boolean);
  const cards = await resolveGiftCards(app, {
    merchantAccountId,
    giftCards,
    // Beside a payment method, this is the method's service.
    paymentServiceId: isAlone ? paymentServiceId : null,
    path: PATH,
  });
  if (!cards.ok) return cards;
  const [refusal, ...others] = [
    ...repeatedGiftCards(cards.value, PATH),
    ...cards.value.flatMap(({ giftCard }, index): SplitTenderRefusal[] => {
      const path = [...PATH, String(index), 'id'];
      if (giftCard && giftCard.currency !== currency) return [giftCardRefused('incorrect_currency', path)];
      const isAnothers = buyerId !== null && giftCard?.buyerId != null && giftCard.buyerId !== buyerId;
      return isAnothers ? [invalidInput(path, 'Must belong to the buyer of the payment.')] : [];
    }),
  ];
  return refusal ? refuse(refusal, ...others) : cards;
}

/** Decides the part of each card, in the given order: its requested amount, or its share of the rest. */
async function decideAmounts(
  app: App,
  asker: Asker,
  { amount: total, currency }: CreateTransactionInput,
  cards: readonly ResolvedGiftCard[],
  requested: GiftCardsInput,
): Promise<Result<readonly number[], SplitTenderRefusal>> {
  const heard = await Promise.all(
    cards.map(async (card, index) =>
      requested[index]?.amount == null ? await checkBalance(app, asker.merchantAccountId, card) : null,
    ),
  );
  const [refusal, ...others] = heard.flatMap((reported, index) => {
    const code =
      reported?.balanceErrorCode ??
      (reported && reported.currency !== currency ? 'incorrect_currency' : null);
    return code ? [giftCardRefused(code, [...PATH, String(index)])] : [];
  });
  if (refusal) return refuse(refusal, ...others);
  let left = total - requested.reduce((sum, { amount }) => sum + (amount ?? 0), 0);
  return ok(
    heard.map((reported, index) => {
      if (!reported) return requested[index]?.amount ?? 0;
      const amount = Math.min(reported.balance ?? 0, left);
      left -= amount;
      return amount;
    }),
  );
}

const refuseBeside = ({ paymentMethod }: CreateTransactionInput): InvalidInput | null =>
  Object.values(paymentMethod).some(Boolean)
    ? null
    : invalidInput(['input', 'paymentMethod'], NOBODY_PAYS_REST);

const refuseAlone = ({ store }: CreateTransactionInput): InvalidInput | null =>
  store
    ? invalidInput(
        ['input', 'store'],
        'Must be false: gift cards pay the whole amount, so there is no payment method to store.',
      )
    : null;

const seal = (
  app: App,
  { merchantAccountId }: Asker,
  cards: readonly ResolvedGiftCard[],
  amounts: readonly number[],
): Promise<readonly NewRedemption[]> =>
  Promise.all(
    cards.map(async ({ giftCard, bin, subBin, lastFour, service, secrets }, ordinal) => {
      const id = app.ids.uuid();
      const amount = amounts[ordinal] ?? 0;
      return {
        ...{ id, ordinal, reversalId: app.ids.uuid(), bin, subBin, lastFour, amount },
        paymentServiceId: service.id,
        giftCardId: giftCard?.id ?? null,
        status: amount > 0 ? 'created' : 'skipped',
        sealedCard:
          amount > 0 ? await sealForRedemption(app.vault, { merchantAccountId, id }, secrets) : null,
      } as const;
    }),
  );
