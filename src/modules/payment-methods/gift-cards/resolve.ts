import type { App } from '../../../app.ts';
import type { GiftCardSecrets } from '../../../connectors/interface/gift-cards.ts';
import { invalidInput, notFound, type InvalidInput, type NotFound } from '../../../kernel/refusal.ts';
import { ok, refuse, type Result } from '../../../kernel/result.ts';
import { findConnectionRows, type ConnectionRow } from '../../payment-services/index.ts';
import { partsOf, type GiftCard, type SealedGiftCard } from '../model/gift-card.ts';
import { GIFT_CARDS_MAX, type GiftCardReference } from '../input/gift-card.ts';
import { findGiftCardsByIds, withoutSealed } from '../store/gift-cards.ts';
import { chooseGiftCardService } from './ask.ts';
import { giftCardDigest, openGiftCard } from './secrets.ts';

/**
 * A gift card that is ready for a call. The secrets are in clear, for one call. Never stored, logged or
 * returned.
 */
export type ResolvedGiftCard = Pick<GiftCard, 'bin' | 'subBin' | 'lastFour'> & {
  /** Null if the card is not stored. */
  readonly giftCard: GiftCard | null;
  /** The payment service that holds the money. `openCall` opens the service's credentials. */
  readonly service: ConnectionRow;
  readonly secrets: GiftCardSecrets;
  /** Keyed digest of the number. */
  readonly fingerprint: string;
};

export type ResolveRequest = {
  readonly merchantAccountId: string;
  /** The parsed references, at most 10. */
  readonly giftCards: readonly GiftCardReference[];
  /** The service of cards that are not stored. Null means the first service by position. */
  readonly paymentServiceId: string | null;
  /** The path of the list in the input. */
  readonly path: readonly string[];
};

/**
 * Resolves gift cards by id, or by number and PIN, in the order of the input. Refuses unknown ids, each with
 * its path.
 *
 * Reads only. Call outside a transaction, because the vault may need its own connection.
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

/** Refuses each card that repeats the number of an earlier card in the list. */
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
  if (value === null || value === undefined)
    throw new Error('The gift card has no stored secrets or no payment service.');
  return value;
}
