import type { App, Viewer } from '../../../app.ts';
import {
  invalidInput,
  notFound,
  type IdempotencyRefusal,
  type InvalidInput,
  type NotFound,
} from '../../../kernel/refusal.ts';
import { ok, refuse, type Result } from '../../../kernel/result.ts';
import type { Tx } from '../../../platform/database/db.ts';
import { answerOnce, isKeyKnown, refuseKey, type Once, createOrRefuse } from '../../idempotency/index.ts';
import { parseInput } from '../../../platform/input/validate.ts';
import type { DuplicateRecord } from '../../accounts/index.ts';
import {
  giftCardFromJson,
  giftCardToJson,
  isSpent,
  partsOf,
  type GiftCard,
  type GiftCardJson,
  type SealedGiftCard,
} from '../model/gift-card.ts';
import { storeGiftCardInput, type StoreGiftCardInput } from '../input/gift-card.ts';
import { findBuyerIdBy, lockBuyer } from '../store/buyers/buyers.ts';
import { insertGiftCard, listOfBuyer, withoutSealed } from '../store/gift-cards.ts';
import { askService, chooseGiftCardService } from './ask.ts';
import { deleteGiftCardIn } from './delete.ts';
import { recordGiftCardEvent } from './event.ts';
import { giftCardRefused, refusedBalance, type GiftCardRefused } from './refusals.ts';
import { giftCardDigest, pinDigest, sealGiftCard } from './secrets.ts';

/** A stored gift card. `replayed` is true if the answer comes from the idempotency key. */
export type StoredGiftCard = { readonly giftCard: GiftCard; readonly replayed: boolean };

/** A buyer returns all its gift cards at once. */
const PER_BUYER_MAX = 10;

/**
 * Stores a gift card, with or without a buyer.
 *
 * 1. The service is asked for the balance, with no transaction open. Unknown and expired cards are refused.
 * 2. One commit writes the sealed card, its event and the idempotency key.
 *
 * A crash before the commit leaves nothing. A buyer has at most 10 usable cards, each once. The same commit
 * deletes the buyer's expired and empty cards, which do not count.
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
  // A replay must not ask the service again, because the card may be empty by now.
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

/** Checks the input and the key together, so that no service is called for a request that is refused anyway. */
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

/** Returns the request in the form that an idempotency key remembers. Keyed digests replace number and PIN. */
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

/** Returns the complete row of a card after its service confirmed the balance. */
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
  const requestedAt = app.clock.now();
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
      balanceUpdatedAt: requestedAt,
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

/**
 * Returns the reason why a buyer may not have another card, or null. Locks the buyer, so that requests run one
 * after another.
 */
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
  if (held) return { kind: 'DuplicateRecord', path: NUMBER, message: DUPLICATE, resourceId: held.id };
  if (usable.length >= PER_BUYER_MAX) return TOO_MANY;
  for (const each of spent) await deleteGiftCardIn(app, tx, each, now);
  return null;
}

const DUPLICATE = 'The buyer has this gift card already: see resourceId.';

const TOO_MANY = invalidInput(
  ['input', 'buyerId'],
  `A buyer has at most ${PER_BUYER_MAX} gift cards. Delete a gift card first.`,
);

function partition<Item>(items: readonly Item[], test: (item: Item) => boolean): readonly [Item[], Item[]] {
  return [items.filter(test), items.filter((item) => !test(item))];
}
