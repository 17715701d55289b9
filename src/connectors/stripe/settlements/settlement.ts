import {
  unreadable,
  type CallContext,
  type SettlementAnswer,
  type SettlementEntry,
  type SettlementRequest,
  type Settlements,
  type UnreadableEntry,
} from '../../door.ts';
import { listPage } from '../api/answers.ts';
import type { Answer, Api } from '../api/exchange.ts';
import {
  balanceTransaction,
  payout as payoutSchema,
  withId,
  type BalanceTransaction,
} from './balance-answers.ts';
import { pageAt, placeAt, placeOf, withoutPayout, withPayouts, type Place } from './place.ts';
import { entryOf } from './settlement-entry.ts';

/** The settlements of an account: the entries of its balance. */
export const settlementsOf = (open: (context: CallContext) => Api): Settlements => ({
  fetch: (context, request) => fetchPage(open(context), request),
});

/** The next stretch begins an hour before the end of the last one, for entries that appeared late. */
const OVERLAP_S = 3_600;

const LIMIT = 100;
const BALANCE = '/v1/balance_transactions';

function fetchPage(api: Api, { cursor, since, now }: SettlementRequest): Promise<SettlementAnswer> {
  const place = cursor === null ? placeAt(seconds(since)) : placeOf(cursor);
  const [payout] = place.payouts;
  return payout === undefined
    ? readBalance(api, { ...place, to: place.to ?? seconds(now) })
    : readPayout(api, place, { id: payout, since: seconds(since) });
}

const seconds = (moment: Date): number => Math.floor(moment.getTime() / 1_000);

type Stretch = Place & { readonly to: number };

/** Reads a page of a stretch, with the payouts in it. */
async function readBalance(api: Api, place: Stretch): Promise<SettlementAnswer> {
  const answer = await api.get(BALANCE, {
    created: { gte: place.from, lt: place.to },
    ...(place.after !== null && { starting_after: place.after }),
    ...{ limit: LIMIT, expand: ['data.source'] },
  });
  if (answer.kind !== 'answered') return withoutPage(answer);
  const read = readPage(answer.body);
  if (!read) return UNREADABLE;
  const { transactions, after } = read;
  const next = withPayouts(place, transactions.flatMap(reconcilablePayoutOf));
  if (after !== null) return pageAt(read, { ...next, after }, true);
  const ended = nextStretch({ ...next, to: place.to });
  // After the last page, the payouts that wait are asked for by the next fetch.
  return ended.payouts.length > 0
    ? pageAt(read, ended, true)
    : pageAt(read, { ...ended, payouts: ended.waiting, waiting: [] }, false);
}

const UNREADABLE: SettlementAnswer = { kind: 'unknown', cause: 'unreadable' };

type Page = {
  readonly entries: readonly SettlementEntry[];
  readonly unreadable: readonly UnreadableEntry[];
  readonly transactions: readonly BalanceTransaction[];
  /** The last entry of the page. Null if no page follows. */
  readonly after: string | null;
};

/** Reads a page of the balance. Null if the next page cannot be asked for, because the last entry has no id. */
function readPage(body: unknown): Page | null {
  const page = listPage.safeParse(body).data;
  if (!page) return null;
  const items = page.data.map(readItem);
  const after = page.has_more ? idOf(page.data.at(-1)) : null;
  if (page.has_more && after === null) return null;
  return {
    entries: items.flatMap(({ entry }) => entry ?? []),
    unreadable: items.flatMap(({ lost }) => lost ?? []),
    transactions: items.flatMap(({ transaction }) => transaction ?? []),
    after,
  };
}

type Item = {
  readonly transaction?: BalanceTransaction;
  readonly entry?: SettlementEntry;
  readonly lost?: UnreadableEntry;
};

function readItem(item: unknown): Item {
  const parsed = balanceTransaction.safeParse(item);
  if (!parsed.success) return { lost: unreadable(idOf(item), item, parsed.error) };
  const transaction = parsed.data;
  const entry = entryOf(transaction);
  return entry
    ? { transaction, entry }
    : { transaction, lost: { reference: transaction.id, field: 'amount' } };
}

const idOf = (item: unknown): string | null => withId.safeParse(item).data?.id ?? null;

/** Names the payout of an entry, if Stripe ever tells its entries. Stripe does not for payouts that a person starts. */
function reconcilablePayoutOf({ type, source }: BalanceTransaction): readonly string[] {
  if (type !== 'payout' || !source?.id.startsWith('po_')) return [];
  return source.reconciliation_status === 'not_applicable' ? [] : [source.id];
}

const nextStretch = (place: Stretch): Place => ({
  ...place,
  ...{ from: Math.max(place.from, place.to - OVERLAP_S), to: null, after: null },
});

const NOTHING = { entries: [], unreadable: [] };

type Paid = { readonly id: string; readonly since: number };

/** Reads a page of the entries that a payout holds, once Stripe has reconciled the payout. */
async function readPayout(api: Api, place: Place, { id, since }: Paid): Promise<SettlementAnswer> {
  if (place.paidAfter === null) {
    const asked = await api.get(`/v1/payouts/${encodeURIComponent(id)}`);
    if (asked.kind !== 'answered') return withoutPage(asked);
    const status = payoutSchema.safeParse(asked.body).data?.reconciliation_status;
    if (status === undefined) return UNREADABLE;
    if (status !== 'completed')
      return pageAt(NOTHING, withoutPayout(place, status === 'in_progress' ? 'waiting' : 'done'), true);
  }
  const answer = await api.get(BALANCE, {
    payout: id,
    // Earlier entries were never reported.
    created: { gte: since },
    ...(place.paidAfter !== null && { starting_after: place.paidAfter }),
    ...{ limit: LIMIT, expand: ['data.source'] },
  });
  if (answer.kind !== 'answered') return withoutPage(answer);
  const read = readPage(answer.body);
  if (!read) return UNREADABLE;
  const entries = read.entries.map((entry) => ({ ...entry, payoutReference: entry.payoutReference ?? id }));
  const { after } = read;
  return pageAt(
    { ...read, entries },
    after === null ? withoutPayout(place, 'done') : { ...place, paidAfter: after },
    true,
  );
}

function withoutPage(answer: Exclude<Answer, { readonly kind: 'answered' }>): SettlementAnswer {
  if (answer.kind === 'refused') return refused(answer.error.message);
  return answer.unknown.refusedAs === undefined || answer.unknown.refusedAs === 'service_rate_limit'
    ? { kind: 'unknown', cause: answer.unknown.cause }
    : refused(answer.error?.message);
}

const refused = (message: string | null | undefined): SettlementAnswer => ({
  kind: 'refused',
  reason: message ?? 'Stripe refuses the secret key.',
});
