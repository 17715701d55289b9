import type { App, Viewer } from '../../../app.ts';
import { notACursor, toPage, type Page, type PageRequest } from '../../../kernel/page.ts';
import type { InvalidInput } from '../../../kernel/refusal.ts';
import { ok, refuse, type Result } from '../../../kernel/result.ts';
import { isUuid } from '../../../platform/ids.ts';
import { parseInput } from '../../../platform/validate.ts';
import { findBuyerIdBy } from '../store/buyers.ts';
import {
  countPaymentMethodRows,
  readOfBuyers,
  readPaymentMethodPage,
  type BuyerSort,
  type PaymentMethodConditions,
} from '../store/payment-method-lists.ts';
import { paymentMethodFilter } from '../model/filter.ts';
import type { PaymentMethod } from '../model/payment-method.ts';

/**
 * Lists the merchant account's payment methods that match every given filter, newest first.
 *
 * - Leaves out deleted payment methods, but not `deleting` ones.
 * - Refuses a filter that breaks a limit, an empty list, and a cursor of another list.
 */
export async function listPaymentMethods(
  app: App,
  { merchantAccountId }: Viewer,
  page: PageRequest,
  given: unknown,
): Promise<Result<Page<PaymentMethod>, InvalidInput>> {
  if (page.cursor !== null && !isUuid(page.cursor)) return refuse(notACursor(page));
  const conditions = await conditionsOf(app, merchantAccountId, given);
  if (!conditions.ok) return conditions;
  if (conditions.value === null) return ok(toPage(page, []));
  return ok(toPage(page, await readPaymentMethodPage(app.db, merchantAccountId, page, conditions.value)));
}

/**
 * Counts the merchant account's payment methods that match every given filter. The count ends at `atMost`. Refuses a filter as
 * `listPaymentMethods` does.
 */
export async function countPaymentMethods(
  app: App,
  { merchantAccountId }: Viewer,
  given: unknown,
  atMost: number,
): Promise<Result<number, InvalidInput>> {
  const conditions = await conditionsOf(app, merchantAccountId, given);
  if (!conditions.ok) return conditions;
  if (conditions.value === null) return ok(0);
  return ok(await countPaymentMethodRows(app.db, merchantAccountId, conditions.value, atMost));
}

/** Checks a filter and finds its buyer. Null when no payment method can match. */
async function conditionsOf(
  app: App,
  merchantAccountId: string,
  given: unknown,
): Promise<Result<PaymentMethodConditions | null, InvalidInput>> {
  const parsed = parseInput(paymentMethodFilter, given ?? {}, 'filter');
  if (!parsed.ok) return parsed;
  const { buyerExternalIdentifier, buyerId, ...filter } = parsed.value;
  const named =
    buyerExternalIdentifier === null
      ? buyerId
      : await findBuyerIdBy(app.db, merchantAccountId, buyerExternalIdentifier);
  const isNobody = buyerExternalIdentifier !== null && named === null;
  const isTwo = buyerId !== null && named !== null && buyerId.toLowerCase() !== named.toLowerCase();
  return ok(isNobody || isTwo ? null : { ...filter, buyerId: named });
}

/** Limit for the payment methods that one buyer returns. */
const PER_BUYER_MAX = 50;

/** A buyer and the order of its payment methods. */
export type PaymentMethodsOfBuyer = { readonly buyerId: string; readonly sort: BuyerSort };

/**
 * Returns the first 50 payment methods of each buyer, by last use or by number of uses. Answers come in the
 * order of the requests.
 */
export async function findPaymentMethodsOf(
  app: App,
  { merchantAccountId }: Pick<Viewer, 'merchantAccountId'>,
  requests: readonly PaymentMethodsOfBuyer[],
): Promise<readonly (readonly PaymentMethod[])[]> {
  const bySort = Map.groupBy(requests, ({ sort }) => sort);
  const found = await Promise.all(
    [...bySort].map(async ([sort, requested]) => {
      const ids = requested.map(({ buyerId }) => buyerId);
      const rows = await readOfBuyers(app.db, merchantAccountId, ids, { sort, limit: PER_BUYER_MAX });
      return [sort, Map.groupBy(rows, ({ buyerId }) => buyerId)] as const;
    }),
  );
  const listOf = new Map(found);
  return requests.map(({ buyerId, sort }) => listOf.get(sort)?.get(buyerId) ?? []);
}
