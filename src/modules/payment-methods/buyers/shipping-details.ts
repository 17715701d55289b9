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
import { createOrRefuse } from '../../idempotency/index.ts';
import { parseInput } from '../../../platform/input/validate.ts';
import { fromJson, toJson, type Json, type ShippingDetails } from '../model/buyer.ts';
import { shippingDetailsInput, type ShippingDetailsInput } from '../input/buyer.ts';
import { lockBuyer } from '../store/buyers/buyers.ts';
import {
  countOf,
  insertShippingDetails,
  listOfBuyers,
  readShippingDetails,
  removeShippingDetails,
  replaceShippingDetails,
} from '../store/buyers/shipping-details.ts';
import { recordShippingDetailsEvent } from './event.ts';

/** Created shipping details. `replayed` is true if the answer comes from the idempotency key. */
export type CreatedShippingDetails = {
  readonly shippingDetails: ShippingDetails;
  readonly replayed: boolean;
};

/** A buyer returns all its shipping details at once. */
const PER_BUYER_MAX = 50;

/**
 * Adds shipping details to a buyer, at most 50.
 *
 * Commits once: the details, their event and the idempotency key.
 */
export async function createShippingDetails(
  app: App,
  viewer: Viewer,
  buyerId: string,
  input: ShippingDetailsInput,
  idempotencyKey: string | null | undefined,
): Promise<Result<CreatedShippingDetails, InvalidInput | NotFound | IdempotencyRefusal>> {
  const parsed = parseInput(shippingDetailsInput, input);
  if (!parsed.ok) return parsed;
  const { merchantAccountId } = viewer;
  const now = app.clock.now();
  const id = app.ids.uuid();
  const once = {
    merchantAccountId,
    operation: 'createShippingDetails',
    key: idempotencyKey,
    input: { buyerId: buyerId.toLowerCase(), input: parsed.value },
    now,
  };
  const created = await createOrRefuse(app.db, once, async (tx): Promise<Made> => {
    const buyer = await lockBuyer(tx, merchantAccountId, buyerId);
    if (!buyer) return refuse(notFound('buyer', ['buyerId']));
    if ((await countOf(tx, merchantAccountId, buyer.id)) >= PER_BUYER_MAX) return refuse(FULL);
    const owner = { id, merchantAccountId, buyerId: buyer.id, createdAt: now, updatedAt: now };
    const details: ShippingDetails = { ...parsed.value, ...owner };
    await insertShippingDetails(tx, details);
    await recordShippingDetailsEvent(app, tx, 'created', details);
    return ok(toJson(details));
  });
  if (!created.ok) return created;
  const { value, replayed } = created.value;
  return ok({ shippingDetails: fromJson<ShippingDetails>(value), replayed });
}

type Made = Result<Json<ShippingDetails>, InvalidInput | NotFound>;

const FULL = invalidInput(
  ['buyerId'],
  `A buyer has at most ${PER_BUYER_MAX} shipping details. Delete other shipping details first.`,
);

/** Replaces all shipping details. Omitted fields are cleared. Commits once, with the event. */
export async function updateShippingDetails(
  app: App,
  viewer: Viewer,
  id: string,
  input: ShippingDetailsInput,
): Promise<Result<ShippingDetails, InvalidInput | NotFound>> {
  const parsed = parseInput(shippingDetailsInput, input);
  if (!parsed.ok) return parsed;
  const changed = await changeLocked(app, viewer, id, async (tx, before) => {
    const after: ShippingDetails = { ...before, ...parsed.value, updatedAt: app.clock.now() };
    await replaceShippingDetails(tx, after);
    await recordShippingDetailsEvent(app, tx, 'updated', after);
    return after;
  });
  return changed ? ok(changed) : refuse(notFound('shipping details'));
}

/** Removes shipping details for good and answers the id. Commits once, with the event. */
export async function deleteShippingDetails(
  app: App,
  viewer: Viewer,
  id: string,
): Promise<Result<string, NotFound>> {
  const removed = await changeLocked(app, viewer, id, async (tx, before) => {
    await removeShippingDetails(tx, before);
    await recordShippingDetailsEvent(app, tx, 'deleted', { ...before, updatedAt: app.clock.now() });
    return before;
  });
  return removed ? ok(removed.id) : refuse(notFound('shipping details'));
}

/**
 * Changes shipping details while their buyer is locked, so that changes to one buyer run one after another.
 * Returns null if the details do not exist.
 */
async function changeLocked(
  app: App,
  { merchantAccountId }: Viewer,
  id: string,
  change: (tx: Tx, before: ShippingDetails) => Promise<ShippingDetails>,
): Promise<ShippingDetails | null> {
  return await app.db.transaction(async (tx) => {
    const seen = await readShippingDetails(tx, merchantAccountId, id);
    if (!seen || !(await lockBuyer(tx, merchantAccountId, seen.buyerId))) return null;
    const before = await readShippingDetails(tx, merchantAccountId, id);
    return before && (await change(tx, before));
  });
}

/** Returns the shipping details of several buyers, in the order of the ids, oldest first. */
export async function findShippingDetailsOf(
  app: App,
  viewer: Viewer,
  buyerIds: readonly string[],
): Promise<readonly (readonly ShippingDetails[])[]> {
  const found = await listOfBuyers(app.db, viewer.merchantAccountId, buyerIds);
  const byBuyer = Map.groupBy(found, ({ buyerId }) => buyerId);
  return buyerIds.map((id) => byBuyer.get(id) ?? []);
}
