import type { App } from '../../../app.ts';
import type { GiftCardSecrets } from '../../../connectors/gift-cards.ts';
import { invalidInput, notFound, type InvalidInput, type NotFound } from '../../../kernel/refusal.ts';
import { ok, refuse, type Result } from '../../../kernel/result.ts';
import { findConnectionRows, type ConnectionRow } from '../../payment-services/index.ts';
import { partsOf, type GiftCard, type SealedGiftCard } from '../gift-card.ts';
import { GIFT_CARDS_MAX, type GiftCardReference } from '../input/gift-card.ts';
import { findGiftCardsByIds, withoutSealed } from '../store/gift-cards.ts';
import { chooseGiftCardService } from './ask.ts';
import { giftCardDigest, openGiftCard } from './secrets.ts';

/** A gift card that can be called for. The secrets are in clear: for one call, never stored, logged or returned. */
export type ResolvedGiftCard = Pick<GiftCard, 'bin' | 'subBin' | 'lastFour'> & {
  /** Null: it is not stored. */
  readonly giftCard: GiftCard | null;
  /** The payment service that holds its money, opened with `callToGiftCards`. */
  readonly service: ConnectionRow;
  readonly secrets: GiftCardSecrets;
  /** Keyed digest of the number. */
  readonly fingerprint: string;
};

export type ResolveRequest = {
  readonly merchantAccountId: string;
  /** As `giftCardReference` has parsed them; at most 10. */
  readonly giftCards: readonly GiftCardReference[];
  /** For the cards that are not stored; null: the first by position. */
  readonly paymentServiceId: string | null;
  /** Where in the input the list is. */
  readonly path: readonly string[];
};

/**
 * Gift cards by their ids, or by number and PIN, in the order given, opened for a call. Refuses ids that name nothing, each
 * with its path. Reads only; not inside a transaction, because the vault may need a connection of its own.
 */
export async function resolveGiftCards(
  app: App,
  request: ResolveRequest,
): Promise<Result<readonly ResolvedGiftCard[], InvalidInput | NotFound>> {
  const { merchantAccountId, giftCards, paymentServiceId, path } = request;
  if (giftCards.length > GIFT_CARDS_MAX) return refuse(invalidInput(path, `Give at most ${GIFT_CARDS_MAX}.`));
  const ids = giftCards.flatMap((each) => ('id' in each ? [each.id] : []));
  const stored = new Map(
    (await findGiftCardsByIds(app.db, merchantAccountId, ids)).map((card) => [card.id, card]),
  );
  const [missing, ...others] = giftCards.flatMap((each, index) =>
    'id' in each && !stored.has(each.id.toLowerCase())
      ? [notFound('gift card', [...path, String(index), 'id'])]
      : [],
  );
  if (missing) return refuse(missing, ...others);
  const services = await servicesOf(app, merchantAccountId, [...stored.values()]);
  const chosen =
    ids.length === giftCards.length
      ? null
      : await chooseGiftCardService(app, merchantAccountId, paymentServiceId);
  if (chosen && !chosen.ok) return chosen;
  return ok(
    await Promise.all(
      giftCards.map(async (each) => {
        if (!('id' in each)) return await oneOff(app, merchantAccountId, each, required(chosen?.value));
        const card = required(stored.get(each.id.toLowerCase()));
        return await opened(app, card, required(services.get(card.paymentServiceId)));
      }),
    ),
  );
}

/** The cards of a list that repeat the number of an earlier one, each as a refusal with its path. */
export function repeatedGiftCards(
  cards: readonly ResolvedGiftCard[],
  path: readonly string[],
): readonly InvalidInput[] {
  return cards.flatMap(({ fingerprint }, index) =>
    cards.findIndex((other) => other.fingerprint === fingerprint) < index
      ? [invalidInput([...path, String(index)], 'This gift card appears twice. Give each gift card once.')]
      : [],
  );
}

async function servicesOf(
  app: App,
  merchantAccountId: string,
  cards: readonly SealedGiftCard[],
): Promise<ReadonlyMap<string, ConnectionRow>> {
  const ids = new Set(cards.map(({ paymentServiceId }) => paymentServiceId));
  if (ids.size === 0) return new Map();
  const rows = await findConnectionRows(app, merchantAccountId, [...ids]);
  return new Map(rows.map((row) => [row.id, row]));
}

async function opened(app: App, card: SealedGiftCard, service: ConnectionRow): Promise<ResolvedGiftCard> {
  const { bin, subBin, lastFour, fingerprint } = card;
  const secrets = await openGiftCard(app.vault, card);
  return { giftCard: withoutSealed(card), bin, subBin, lastFour, fingerprint, service, secrets };
}

async function oneOff(
  app: App,
  merchantAccountId: string,
  { number, pin }: GiftCardSecrets,
  service: ConnectionRow,
): Promise<ResolvedGiftCard> {
  const fingerprint = await giftCardDigest(app.vault, merchantAccountId, number);
  return { giftCard: null, ...partsOf(number), fingerprint, service, secrets: { number, pin } };
}

function required<Value>(value: Value | null | undefined): Value {
  if (value === null || value === undefined) throw new Error('A gift card lacks what its call needs.');
  return value;
}
