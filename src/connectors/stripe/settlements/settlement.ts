import { z } from 'zod';
import type { CallContext } from '../../call-context.ts';
import type { SettlementAnswer, SettlementRequest, Settlements } from '../../settlements.ts';
import { listPage } from '../api/answers.ts';
import { balanceTransaction } from './balance-answers.ts';
import type { Answer, Api } from '../api/exchange.ts';
import { entryOf } from './settlement-entry.ts';

/** The settlements of an account: the entries of its balance. */
export const settlementsOf = (open: (context: CallContext) => Api): Settlements => ({
  fetch: (context, request) => fetchPage(open(context), request),
});

/**
 * A place in the balance. Stripe lists the newest entry first, so a stretch of time is read from its end to its beginning.
 * Times are unix seconds.
 */
type Place = {
  readonly from: number;
  /** The end of the stretch, itself outside. Null before a stretch is begun. */
  readonly to: number | null;
  /** The last entry that was read of the stretch. */
  readonly after: string | null;
};

/** The next stretch begins an hour before the end of the last one, for entries that appeared late. */
const OVERLAP_S = 3_600;

const LIMIT = 100;

async function fetchPage(api: Api, { cursor, since, now }: SettlementRequest): Promise<SettlementAnswer> {
  const place = cursor === null ? { from: seconds(since), to: null, after: null } : placeOf(cursor);
  const to = place.to ?? seconds(now);
  const answer = await api.get('/v1/balance_transactions', {
    created: { gte: place.from, lt: to },
    ...(place.after !== null && { starting_after: place.after }),
    ...{ limit: LIMIT, expand: ['data.source'] },
  });
  return answer.kind === 'answered' ? pageOf(answer.body, { ...place, to }) : withoutPage(answer);
}

const seconds = (moment: Date): number => Math.floor(moment.getTime() / 1_000);

function pageOf(body: unknown, place: Place & { readonly to: number }): SettlementAnswer {
  const page = listPage.safeParse(body).data;
  const read = page?.data.map((item) => balanceTransaction.safeParse(item).data ?? null);
  const entries = read?.flatMap((transaction) => (transaction && entryOf(transaction)) ?? []);
  // A page with an entry that cannot be read would lose the entry.
  if (!page || !read || entries?.length !== page.data.length) return { kind: 'unknown', cause: 'unreadable' };
  const last = read.at(-1)?.id;
  return page.has_more && last !== undefined
    ? { kind: 'page', entries, cursor: cursorOf({ ...place, after: last }), more: true }
    : { kind: 'page', entries, cursor: cursorOf(nextStretch(place)), more: false };
}

const nextStretch = ({ from, to }: Place & { readonly to: number }): Place => ({
  ...{ from: Math.max(from, to - OVERLAP_S), to: null, after: null },
});

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

const cursorOf = (place: Place): string => JSON.stringify(place);

/** Reads the place of a cursor. Throws if the cursor is not one of ours. */
const placeOf = (cursor: string): Place => placeSchema.parse(JSON.parse(cursor));

const placeSchema = z.object({ from: z.int(), to: z.int().nullable(), after: z.string().nullable() });
