import { refuse } from './refusal.ts';
import { disputeView, tokenView } from './views.ts';
import { DAY_MS, moneyOf, timeText, type Entry, type PayPalWorld } from './world.ts';

const RANGE_MS = 31 * DAY_MS;

const TIME =
  /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])[Tt]([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(\.\d+)?([Zz]|[+-]\d{2}:?\d{2})$/;

const SEARCH_PARAMETERS = [
  ...['transaction_id', 'transaction_type', 'transaction_status', 'transaction_amount'],
  ...['transaction_currency', 'start_date', 'end_date', 'payment_instrument_type', 'store_id'],
  ...['terminal_id', 'fields', 'balance_affecting_records_only', 'page_size', 'page'],
];

/** Lists movements of at most 31 days. A movement appears late. */
export function searchTransactions(world: PayPalWorld, query: URLSearchParams): object {
  checkNames(query, SEARCH_PARAMETERS);
  const [from, until] = [timeAt(query, 'start_date'), timeAt(query, 'end_date')];
  if (until < from || until - from > RANGE_MS) refuseQuery('end_date', 'INVALID_DATE_RANGE');
  const size = integerAt(query, 'page_size', 100, 500);
  const page = integerAt(query, 'page', 1, Number.MAX_SAFE_INTEGER);
  const refreshed = world.now().getTime() - world.settings.reportLagMs;
  const found = world.entries.filter(
    ({ at, id, code, currency, status }) =>
      at.getTime() >= from &&
      at.getTime() <= until &&
      at.getTime() <= refreshed &&
      isWanted(query, 'transaction_id', id) &&
      isWanted(query, 'transaction_type', code) &&
      isWanted(query, 'transaction_currency', currency) &&
      isWanted(query, 'transaction_status', status),
  );
  const total = Math.ceil(found.length / size);
  return {
    transaction_details: found
      .slice((page - 1) * size, page * size)
      .map((entry) => ({ transaction_info: entryView(world, entry) })),
    account_number: world.settings.merchantId,
    ...{ start_date: timeText(new Date(from)), end_date: timeText(new Date(until)) },
    last_refreshed_datetime: timeText(new Date(refreshed)),
    ...{ page, total_items: found.length, total_pages: total, links: [] },
  };
}

function entryView({ settings }: PayPalWorld, entry: Entry): object {
  const { id, referenceId, referenceType, code, at, currency, gross, fee, customId, invoiceId } = entry;
  return {
    ...{ paypal_account_id: settings.merchantId, transaction_id: id },
    ...(referenceId === null
      ? {}
      : { paypal_reference_id: referenceId, paypal_reference_id_type: referenceType }),
    ...{ transaction_event_code: code, transaction_initiation_date: timeText(at) },
    ...{ transaction_updated_date: timeText(at), transaction_amount: moneyOf(currency, gross) },
    ...(fee === 0 ? {} : { fee_amount: moneyOf(currency, fee) }),
    transaction_status: entry.status,
    ...(customId === null ? {} : { custom_field: customId }),
    ...(invoiceId === null ? {} : { invoice_id: invoiceId }),
    ...entry.shown,
  };
}

/** Lists disputes, newest first. */
export function listDisputes(world: PayPalWorld, query: URLSearchParams): object {
  checkNames(query, [
    ...['start_time', 'disputed_transaction_id', 'page_size', 'next_page_token', 'dispute_state'],
    ...['update_time_before', 'update_time_after', 'page'],
  ]);
  const size = integerAt(query, 'page_size', 10, 50);
  const after = query.get('update_time_after') === null ? null : timeAt(query, 'update_time_after');
  const before = query.get('update_time_before') === null ? null : timeAt(query, 'update_time_before');
  const items = [...world.disputes.values()]
    .toReversed()
    .filter(
      ({ captureId, updatedAt }) =>
        isWanted(query, 'disputed_transaction_id', captureId) &&
        (after === null || updatedAt.getTime() >= after) &&
        (before === null || updatedAt.getTime() <= before),
    )
    .map((dispute) => disputeView(world, dispute, false));
  return { items: items.slice(0, size), links: [] };
}

/** Lists the stored methods of a customer. */
export function listTokens(world: PayPalWorld, query: URLSearchParams): object {
  checkNames(query, ['customer_id', 'page_size', 'page', 'total_required']);
  const customerId = query.get('customer_id');
  if (customerId === null) refuseQuery('customer_id', 'MISSING_REQUIRED_PARAMETER');
  const tokens = [...world.tokens.values()].filter((token) => token.customerId === customerId);
  return {
    customer: { id: customerId },
    payment_tokens: tokens.map((token) => tokenView(world, token)),
    links: [],
  };
}

/** Lists events, newest first. */
export function listEvents(world: PayPalWorld, query: URLSearchParams): object {
  checkNames(query, ['page_size', 'start_time', 'end_time', 'transaction_id', 'event_type']);
  const size = integerAt(query, 'page_size', 10, 300);
  const events = world.events
    .toReversed()
    .filter(({ event_type }) => isWanted(query, 'event_type', event_type));
  return { events: events.slice(0, size), count: events.length, links: [] };
}

/** Refuses parameters that a call does not have. */
export function checkNames(query: URLSearchParams, names: readonly string[]): void {
  for (const name of query.keys()) if (!names.includes(name)) refuseQuery(name, 'INVALID_PARAMETER');
}

const isWanted = (query: URLSearchParams, name: string, value: string): boolean =>
  query.get(name) === null || query.get(name) === value;

function timeAt(query: URLSearchParams, name: string): number {
  const text = query.get(name);
  if (text === null) return refuseQuery(name, 'MISSING_REQUIRED_PARAMETER');
  return TIME.test(text) ? Date.parse(text) : refuseQuery(name, 'INVALID_PARAMETER_SYNTAX');
}

function integerAt(query: URLSearchParams, name: string, fallback: number, max: number): number {
  const text = query.get(name);
  if (text === null) return fallback;
  const value = Number(text);
  return Number.isInteger(value) && value >= 1 && value <= max
    ? value
    : refuseQuery(name, 'INVALID_PARAMETER_VALUE');
}

const refuseQuery = (field: string, issue: string): never =>
  refuse({ status: 400, name: 'INVALID_REQUEST', issue, field });
