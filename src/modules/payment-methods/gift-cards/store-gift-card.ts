import type { App, Viewer } from '../../../app.ts';
import {
  invalidInput,
  notFound,
  type IdempotencyRefusal,
  type InvalidInput,
  type NotFound,
} from '../../../kernel/refusal.ts';
import { ok, refuse, type Result } from '../../../kernel/result.ts';
import type { Tx } from '../../../platform/db.ts';
import { answerOnce, isKeyKnown, refuseKey, type Once, createOrRefuse } from '../../idempotency/index.ts';
import { parseInput } from '../../../platform/validate.ts';
import type { DuplicateRecord } from '../../accounts/index.ts';
import {
  giftCardFromJson,
  giftCardToJson,
  isSpent,
  partsOf,
  type GiftCard,
  type GiftCardJson,
  type SealedGiftCard,
} from '../gift-card.ts';
import { storeGiftCardInput, type StoreGiftCardInput } from '../input/gift-card.ts';
import { findBuyerIdBy, lockBuyer } from '../store/buyers.ts';
import { insertGiftCard, listOfBuyer, withoutSealed } from '../store/gift-cards.ts';
import { askService, chooseGiftCardService } from './ask.ts';
import { dropGiftCard } from './delete.ts';
import { recordGiftCardEvent } from './event.ts';
import { giftCardRefused, refusedBalance, type GiftCardRefused } from './refusals.ts';
import { giftCardDigest, pinDigest, sealGiftCard } from './secrets.ts';

/** `replayed`: the answer comes from the record of the idempotency key. */
export type StoredGiftCard = { readonly giftCard: GiftCard; readonly replayed: boolean };

/** A buyer shows all of them at once. */
const PER_BUYER_MAX = 10;

/**
 * Keeps a gift card, for a buyer or for nobody. The service is asked for the balance first, with no transaction open, and what
 * it does not know, or what has expired, is refused; a crash by then leaves nothing. Commits once: the card, sealed, its event
 * and the record of the idempotency key. A buyer has at most 10, each once; those of its cards that are expired or empty are
 * deleted with the same commit and do not count.
 */
export async function storeGiftCard(
  app: App,
  viewer: Viewer,
  input: StoreGiftCardInput,
  idempotencyKey: string | null | undefined,
): Promise<Result<StoredGiftCard, Refusal | IdempotencyRefusal>> {
  const parsed = parse(input, idempotencyKey);
  if (!parsed.ok) return parsed;
  const keyed = {
    merchantAccountId: viewer.merchantAccountId,
    operation: 'storeGiftCard',
    key: idempotencyKey,
    now: app.clock.now(),
  };
  // The card may have been spent since: a repeat must not ask the service again.
  const before = (await isKeyKnown(app.db, keyed))
    ? await answerOnce<GiftCardJson>(app.db, await onceOf(app, keyed, parsed.value))
    : null;
  if (before) return before.ok ? ok(shown(before.value)) : before;
  const prepared = await prepare(app, viewer, parsed.value);
  if (!prepared.ok) return prepared;
  const once = await onceOf(app, keyed, parsed.value);
  const created = await createOrRefuse(app.db, once, (tx) => keep(app, tx, prepared.value));
  return created.ok ? ok(shown(created.value)) : created;
}

type Refusal = InvalidInput | NotFound | DuplicateRecord | GiftCardRefused;
type Given = ReturnType<typeof storeGiftCardInput.parse>;

/** The key is refused with the rest, because nobody is to be asked for a request that is refused anyway. */
function parse(
  input: StoreGiftCardInput,
  idempotencyKey: string | null | undefined,
): Result<Given, InvalidInput> {
  const parsed = parseInput(storeGiftCardInput, input);
  const badKey = refuseKey(idempotencyKey);
  if (!badKey) return parsed;
  return parsed.ok ? refuse(badKey) : refuse(...parsed.refusals, badKey);
}

const shown = ({ value, replayed }: { readonly value: GiftCardJson; readonly replayed: boolean }) => ({
  giftCard: giftCardFromJson(value),
  replayed,
});

/** Number and PIN are remembered as keyed digests. */
async function onceOf(
  { vault }: App,
  keyed: Omit<Once, 'input'>,
  { number, pin, ...rest }: Given,
): Promise<Once> {
  const { merchantAccountId } = keyed;
  const digests = {
    number: await giftCardDigest(vault, merchantAccountId, number),
    pin: await pinDigest(vault, merchantAccountId, { number, pin }),
  };
  return { ...keyed, input: { input: { ...rest, ...digests } } };
}

/** The whole row, of a card that its service vouches for. */
async function prepare(
  app: App,
  { merchantAccountId }: Viewer,
  { number, pin, buyerId, buyerExternalIdentifier, paymentServiceId }: Given,
): Promise<Result<SealedGiftCard, Refusal>> {
  const owner =
    buyerExternalIdentifier === null
      ? buyerId
      : await findBuyerIdBy(app.db, merchantAccountId, buyerExternalIdentifier);
  if (buyerExternalIdentifier !== null && owner === null)
    return refuse(notFound('buyer', ['input', 'buyerExternalIdentifier']));
  const service = await chooseGiftCardService(app, merchantAccountId, paymentServiceId);
  if (!service.ok) return service;
  const askedAt = app.clock.now();
  const balance = await askService(app, merchantAccountId, service.value, { number, pin });
  if (balance.kind !== 'known') return refuse(refusedBalance(balance, NUMBER));
  const now = app.clock.now();
  const { money, expiresAt } = balance;
  if (expiresAt !== null && expiresAt <= now) return refuse(giftCardRefused('expired_card', NUMBER));
  const identity = { merchantAccountId, id: app.ids.uuid() };
  return ok({
    ...identity,
    ...partsOf(number),
    ...(await sealGiftCard(app.vault, identity, { number, pin })),
    ...{ buyerId: owner, paymentServiceId: service.value.id },
    ...{
      currency: money.currency,
      balance: money.amount,
      balanceUpdatedAt: askedAt,
      expirationDate: expiresAt,
    },
    ...{ usageCount: 0, lastUsedAt: null, citUsageCount: 0, citLastUsedAt: null },
    ...{ createdAt: now, updatedAt: now },
  });
}

const NUMBER = ['input', 'number'];

async function keep(app: App, tx: Tx, card: SealedGiftCard): Promise<Result<GiftCardJson, Refusal>> {
  const { buyerId } = card;
  if (buyerId !== null) {
    const refusal = await refusedByBuyer(app, tx, { ...card, buyerId });
    if (refusal) return refuse(refusal);
  }
  await insertGiftCard(tx, card);
  await recordGiftCardEvent(app, tx, 'created', card);
  return ok(giftCardToJson(withoutSealed(card)));
}

/** Why a buyer may not have a card beside its other ones; null when it may. The buyer is locked, so that two come one after the other. */
async function refusedByBuyer(
  app: App,
  tx: Tx,
  card: SealedGiftCard & { readonly buyerId: string },
): Promise<Refusal | null> {
  const { merchantAccountId, buyerId, fingerprint, createdAt: now } = card;
  if (!(await lockBuyer(tx, merchantAccountId, buyerId))) return notFound('buyer', ['input', 'buyerId']);
  const [spent, usable] = partition(await listOfBuyer(tx, merchantAccountId, buyerId), (each) =>
    isSpent(each, now),
  );
  const held = usable.find((each) => each.fingerprint === fingerprint);
  if (held) return { kind: 'DuplicateRecord', path: NUMBER, message: HELD, resourceId: held.id };
  if (usable.length >= PER_BUYER_MAX) return FULL;
  for (const each of spent) await dropGiftCard(app, tx, each, now);
  return null;
}

const HELD = 'The buyer has this gift card already: see resourceId.';

const FULL = invalidInput(
  ['input', 'buyerId'],
  `A buyer has at most ${PER_BUYER_MAX} gift cards: delete some first.`,
);

function partition<Item>(items: readonly Item[], test: (item: Item) => boolean): readonly [Item[], Item[]] {
  return [items.filter(test), items.filter((item) => !test(item))];
}
