import type { App, Viewer } from '../../../app.ts';
import { toPage, type Page, type PageRequest } from '../../../kernel/page.ts';
import type { InvalidInput } from '../../../kernel/refusal.ts';
import { ok, type Result } from '../../../kernel/result.ts';
import type { LineOrWhole } from '../../../platform/database/column-set.ts';
import { NEWEST_FIRST, sortedPosition } from '../../../platform/lists/sort.ts';
import { countAll, listSorted, type ListNames } from '../../../platform/lists/sorted-page.ts';
import { parseInput } from '../../../platform/input/validate.ts';
import { findBuyerIdBy } from '../store/buyers/buyers.ts';
import { paymentMethodList, type PaymentMethodConditions } from '../store/payment-method-list.ts';
import { PER_BUYER_MAX, readOfBuyers, type OfBuyers } from '../store/payment-methods-of-buyers.ts';
import { paymentMethodFilter } from '../model/filter.ts';
import type { PaymentMethod } from '../model/payment-method.ts';

/**
 * Lists the merchant account's payment methods that match every given filter, newest first. They have the fields of `columns`.
 *
 * - Leaves out deleted payment methods, but not `deleting` ones.
 * - Refuses a filter that breaks a limit, an empty list, and a cursor of another list.
 * - Refuses a filter that would scan too many rows.
 */
export async function listPaymentMethods(
  app: App,
  { merchantAccountId }: Viewer,
  request: PageRequest,
  { filter, columns }: { readonly filter: unknown; readonly columns: LineOrWhole },
): Promise<Result<Page<PaymentMethod>, InvalidInput>> {
  const position = sortedPosition(request, NEWEST_FIRST);
  if (!position.ok) return position;
  const conditions = await conditionsOf(app, merchantAccountId, filter);
  if (!conditions.ok) return conditions;
  if (conditions.value === null) return ok(toPage(request, []));
  const { direction } = request;
  const page = { sort: NEWEST_FIRST, filter: conditions.value, direction, position: position.value };
  return await listSorted(app, NAMES, request, paymentMethodList(merchantAccountId, page, columns));
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
  const page = {
    sort: NEWEST_FIRST,
    direction: 'forward',
    position: null,
    filter: conditions.value,
  } as const;
  return await countAll(app, NAMES, paymentMethodList(merchantAccountId, page, 'line'), atMost);
}

const NAMES: ListNames = { records: 'payment methods', path: ['filter'] };

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

/** A buyer, and the order and the columns of its payment methods. */
export type PaymentMethodsOfBuyer = OfBuyers & { readonly buyerId: string };

/**
 * Returns the first 50 payment methods of each buyer, by last use or by number of uses. Answers come in the
 * order of the requests.
 */
export async function findPaymentMethodsOf(
  app: App,
  { merchantAccountId }: Pick<Viewer, 'merchantAccountId'>,
  requests: readonly PaymentMethodsOfBuyer[],
): Promise<readonly (readonly PaymentMethod[])[]> {
  const kindOf = ({ sort, columns }: OfBuyers): string => `${sort} ${columns}`;
  const found = await Promise.all(
    [...Map.groupBy(requests, kindOf)].map(async ([kind, [first, ...others]]) => {
      if (!first) return [kind, null] as const;
      const ids = [first, ...others].map(({ buyerId }) => buyerId);
      const rows = await readOfBuyers(app.db, merchantAccountId, ids, { ...first, limit: PER_BUYER_MAX });
      return [kind, Map.groupBy(rows, ({ buyerId }) => buyerId)] as const;
    }),
  );
  const listOf = new Map(found);
  return requests.map((request) => listOf.get(kindOf(request))?.get(request.buyerId) ?? []);
}
