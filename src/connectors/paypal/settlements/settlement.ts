import { z } from 'zod';
import {
  unreadable,
  type CallContext,
  type SettlementAnswer,
  type SettlementEntry,
  type SettlementPage,
  type SettlementRequest,
  type Settlements,
  type UnreadableEntry,
} from '../../door.ts';
import type { Answer, Api } from '../exchange.ts';
import { movement, namedMovement, searchPage, type Movement } from './report-answers.ts';
import { entryOf, referenceOf } from './settlement-entry.ts';

/** The settlements of an account: the movements on its balance, by the transaction search. */
export const settlementsOf = (open: (context: CallContext) => Api): Settlements => ({
  fetch: (context, request) => fetchPage(open(context), request),
});

/** A place in the transaction search, which is read in stretches of time. Times are in milliseconds. */
type Place = {
  readonly from: number;
  /** The end of the stretch. Null before a stretch is begun. */
  readonly to: number | null;
  readonly page: number;
  /** The time of the oldest movement that was pending. A later stretch must show its end. */
  readonly pendingSince: number | null;
  /** The moment at which a stretch last went back to pending movements. */
  readonly wentBackAt: number;
};

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** A movement appears up to three hours late, so a stretch begins before the end of the last one. */
const OVERLAP_MS = 6 * HOUR_MS;

/** The search refuses a beginning for which it has no data yet. */
const AGE_MIN_MS = 4 * HOUR_MS;

const STRETCH_MAX_MS = 31 * DAY_MS;

/** The search knows the last three years. */
const AGE_MAX_MS = 3 * 365 * DAY_MS;

/** A stretch that is too large for the search is halved, down to a second. */
const STRETCH_MIN_MS = 1_000;

const PAGE_SIZE = 500;

async function fetchPage(api: Api, { cursor, since, now }: SettlementRequest): Promise<SettlementAnswer> {
  const nowMs = now.getTime();
  const place = cursor === null ? placeAt(since.getTime()) : placeOf(cursor);
  const from = Math.max(place.from, nowMs - AGE_MAX_MS);
  if (nowMs - from < AGE_MIN_MS) return pageWith(NOTHING, place, false);
  const to = place.to ?? Math.min(nowMs, from + STRETCH_MAX_MS);
  const query = new URLSearchParams({
    ...{ start_date: timeText(from), end_date: timeText(to), fields: 'transaction_info' },
    ...{ page_size: String(PAGE_SIZE), page: String(place.page) },
  });
  const answer = await api.get(`/v1/reporting/transactions?${query.toString()}`);
  const stretch = { ...place, from, to };
  if (answer.kind === 'answered') return readPage(answer.body, stretch, nowMs);
  return isTooLarge(answer) && to - from > STRETCH_MIN_MS ? halve(stretch) : withoutPage(answer);
}

const placeAt = (from: number): Place => ({
  ...{ from, to: null, page: 1 },
  ...{ pendingSince: null, wentBackAt: from },
});

/** Writes a time without fractions, which the search allows but does not need. */
const timeText = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19)}Z`;

type Stretch = Place & { readonly to: number };

function readPage(body: unknown, stretch: Stretch, nowMs: number): SettlementAnswer {
  const found = searchPage.safeParse(body).data;
  if (!found) return UNREADABLE;
  const items = found.transaction_details.map(({ transaction_info: each }) => readItem(each));
  const read = {
    entries: items.flatMap(({ entry }) => entry ?? []),
    unreadable: items.flatMap(({ lost }) => lost ?? []),
  };
  const pendingSince = oldestOf(
    stretch.pendingSince,
    items.flatMap((item) => item.movement ?? []),
  );
  if (stretch.page < found.total_pages)
    return pageWith(read, { ...stretch, page: stretch.page + 1, pendingSince }, true);
  const refreshed = Date.parse(found.last_refreshed_datetime ?? '') || nowMs;
  return endOf(read, { ...stretch, pendingSince }, { nowMs, knownUntil: Math.min(nowMs, refreshed) });
}

const UNREADABLE: SettlementAnswer = { kind: 'unknown', cause: 'unreadable' };

/** The parts of a movement that can be read. A movement without money has no entry. */
type Item = {
  readonly movement?: Movement;
  readonly entry?: SettlementEntry;
  readonly lost?: UnreadableEntry;
};

function readItem(given: unknown): Item {
  const parsed = movement.safeParse(given);
  if (!parsed.success) return { lost: unreadable(nameOf(given), given, parsed.error) };
  const moved = parsed.data;
  if (isAuthorization(moved)) return { movement: moved };
  if (!STATUSES.has(moved.transaction_status)) return lostOf(moved, 'transaction_status');
  if (!MOVED.has(moved.transaction_status)) return { movement: moved };
  const entry = entryOf(moved);
  return entry ? { movement: moved, entry } : lostOf(moved, 'transaction_amount');
}

const lostOf = (moved: Movement, field: string): Item => ({
  movement: moved,
  lost: { reference: referenceOf(moved.transaction_id, moved.transaction_event_code), field },
});

/** Returns the id of a movement whose other fields cannot be read. */
function nameOf(given: unknown): string | null {
  const { transaction_id: id, transaction_event_code: code } = namedMovement.safeParse(given).data ?? {};
  return id && code ? referenceOf(id, code) : null;
}

/** PayPal's words for the status of a movement. Money moved with the first three. */
const MOVED: ReadonlySet<string> = new Set(['S', 'V', 'F']);
const ENDED: ReadonlySet<string> = new Set([...MOVED, 'D']);
const STATUSES: ReadonlySet<string> = new Set([...ENDED, 'P']);

/** An authorisation moves no money. */
const isAuthorization = ({ transaction_event_code: code }: Movement): boolean => code.startsWith('T13');

/** Returns the time of the oldest movement that is still pending, or whose status is a new word. */
function oldestOf(before: number | null, movements: readonly Movement[]): number | null {
  const times = movements
    .filter((each) => !ENDED.has(each.transaction_status) && !isAuthorization(each))
    .map(({ transaction_initiation_date: date }) => Date.parse(date))
    .filter((time) => !Number.isNaN(time));
  const oldest = Math.min(before ?? Infinity, ...times);
  return oldest === Infinity ? null : oldest;
}

/** Ends a stretch. The next one follows, or begins with the movements that could still appear. */
function endOf(
  read: Read,
  { to, pendingSince, wentBackAt }: Stretch,
  { nowMs, knownUntil }: { readonly nowMs: number; readonly knownUntil: number },
): SettlementAnswer {
  const kept = { to: null, page: 1, pendingSince, wentBackAt };
  if (to <= knownUntil - OVERLAP_MS) return pageWith(read, { ...kept, from: to }, true);
  const from = Math.min(to, knownUntil) - OVERLAP_MS;
  if (pendingSince === null || nowMs - wentBackAt < DAY_MS) return pageWith(read, { ...kept, from }, false);
  const back = Math.max(Math.min(from, pendingSince), nowMs - STRETCH_MAX_MS);
  return pageWith(read, { ...kept, from: back, pendingSince: null, wentBackAt: nowMs }, false);
}

type Read = Pick<SettlementPage, 'entries' | 'unreadable'>;

const NOTHING: Read = { entries: [] };

const pageWith = (read: Read, place: Place, more: boolean): SettlementAnswer => ({
  kind: 'page',
  ...read,
  cursor: JSON.stringify(place),
  more,
});

/** The error of a stretch with more movements than the search lists. */
const isTooLarge = (answer: Answer): boolean =>
  answer.kind === 'refused' &&
  [answer.error.name, ...answer.error.details.map(({ issue }) => issue)].includes('RESULTSET_TOO_LARGE');

/** Begins again with the first half of a stretch. */
const halve = ({ from, to, pendingSince, wentBackAt }: Stretch): SettlementAnswer =>
  pageWith(
    NOTHING,
    { from, to: from + Math.floor((to - from) / 2), page: 1, pendingSince, wentBackAt },
    true,
  );

function withoutPage(answer: Exclude<Answer, { readonly kind: 'answered' }>): SettlementAnswer {
  if (answer.kind === 'refused') return refused(answer.error.message);
  return answer.unknown.refusedAs === undefined || answer.unknown.refusedAs === 'service_rate_limit'
    ? { kind: 'unknown', cause: answer.unknown.cause }
    : refused(answer.error?.message);
}

const refused = (message: string | null | undefined): SettlementAnswer => ({
  kind: 'refused',
  reason: message ?? 'PayPal refuses client_id or client_secret.',
});

/** Reads the place of a cursor. Throws if the cursor is not one of ours. */
const placeOf = (cursor: string): Place => placeSchema.parse(JSON.parse(cursor));

const placeSchema = z.object({
  from: z.int(),
  to: z.int().nullable(),
  page: z.int().min(1),
  pendingSince: z.int().nullable(),
  wentBackAt: z.int(),
});
