import { differenceOf, keepDiffering } from './differing.ts';
import { wasAuthorized, type ComparedPayment, type ComparedRoute } from './payment.ts';
import { keyOfSegment, segmentOf, widened } from './segment.ts';
import {
  cellKey,
  newCell,
  newSums,
  tailKey,
  type Cell,
  type NextServices,
  type Sums,
  type Tail,
  type Tally,
} from './tally.ts';

/** The most segments, and the most tails of all segments. Each takes some hundred bytes. */
const SEGMENTS_MAX = 5_000;
const TAILS_MAX = 10_000;

/** The most pairs of services whose moves are counted apart. More than a merchant account realistically has. */
const MOVES_MAX = 10_000;

/** Adds a past payment to the counts. The route is null if the rules do not decide about the payment. */
export function countPayment(tally: Tally, payment: ComparedPayment, route: ComparedRoute | null): void {
  tally.payments += 1;
  const cells = cellsOf(tally, payment);
  learn(cells, payment);
  if (!route) {
    tally.passedBy += 1;
    return;
  }
  const { rule, refusalCode, paymentServiceIds } = route;
  add(tally.rules, rule?.position ?? 0);
  const [from] = payment.attempts;
  const [to] = paymentServiceIds;
  const move = JSON.stringify([from?.paymentServiceId ?? null, to ?? null]);
  if (tally.moves.has(move) || tally.moves.size < MOVES_MAX) add(tally.moves, move);
  // Without a known outcome, the payment is compared with nothing.
  if (payment.attempts.length === 0 || payment.attempts.some(({ end }) => end === 'open')) {
    tally.open += 1;
    return;
  }
  const differing = differenceOf(payment, route, cells.key);
  if (differing) keepDiffering(tally.differing, differing);
  if (refusalCode !== null) addTo(sumsAt(tally.refused, refusalCode), payment);
  else if (to === undefined) addTo(tally.withoutService, payment);
  else compareWays(tally, cells, { payment, paymentServiceIds });
  if (to === undefined) noteAuthorized(cells, payment, 'authorizedAmount');
}

type Cells = { readonly key: string; readonly byService: Map<string, Cell> };

/** Finds the segment of a payment. The segment is wide if there are too many. */
function cellsOf(tally: Tally, payment: ComparedPayment): Cells {
  const segment = segmentOf(payment);
  const own = keyOfSegment(segment);
  const isRoom = tally.cells.has(own) || tally.cells.size < SEGMENTS_MAX;
  const key = isRoom ? own : keyOfSegment(widened(segment));
  if (!isRoom) tally.widened += 1;
  const byService = tally.cells.get(key) ?? new Map<string, Cell>();
  tally.cells.set(key, byService);
  return { key, byService };
}

/** Counts each attempt for its service, and the fee for the service that authorised. */
function learn({ byService }: Cells, { attempts, amount, feeRate }: ComparedPayment): void {
  for (const [turn, { paymentServiceId, end }] of attempts.entries()) {
    if (end === 'open') continue;
    const key = cellKey(paymentServiceId, turn === 0);
    const cell = byService.get(key) ?? newCell();
    byService.set(key, cell);
    cell.attempts += 1;
    if (end === 'went_on') cell.wentOn += 1;
    if (end !== 'authorized') continue;
    cell.authorized += 1;
    if (feeRate === null) continue;
    cell.settledAmount += amount;
    cell.fees += amount * feeRate;
  }
}

type Ways = { readonly payment: ComparedPayment; readonly paymentServiceIds: readonly string[] };

/**
 * Walks along the services of the past and of the simulation. As long as they are the same, the real outcome stays. From the first
 * difference on, the outcome is estimated.
 */
function compareWays(tally: Tally, cells: Cells, { payment, paymentServiceIds }: Ways): void {
  const { attempts, amount } = payment;
  const differs = paymentServiceIds.findIndex((id, place) => attempts[place]?.paymentServiceId !== id);
  const same = differs === -1 ? paymentServiceIds.length : differs;
  const last = attempts[same - 1]?.end;
  const isKept = same > 0 && (last !== 'went_on' || same === paymentServiceIds.length);
  if (isKept) {
    const keeps = { ...payment, attempts: attempts.slice(0, same) };
    addTo(tally.kept, payment);
    tally.kept.authorized += wasAuthorized(keeps) ? 1 : 0;
    tally.kept.attempts += same;
    noteAuthorized(cells, payment, 'authorizedAmount');
    noteAuthorized(cells, keeps, 'keptAmount');
    return;
  }
  const next = { isFirst: same === 0, paymentServiceIds: paymentServiceIds.slice(same) };
  const tail = tailAt(tally, cells, next);
  addTo(tail, payment);
  tail.attemptsKept += same;
  tail.amount += amount;
  const authorizedBy = authorizingCell(payment);
  if (authorizedBy !== null)
    tail.authorizedAmounts.set(authorizedBy, (tail.authorizedAmounts.get(authorizedBy) ?? 0) + amount);
}

/** Finds the payments of a segment that would ask the same services next. Keeps the first service alone if there are too many. */
function tailAt(tally: Tally, { key }: Cells, next: NextServices): Tail {
  const tails = tally.tails.get(key) ?? new Map<string, Tail>();
  tally.tails.set(key, tails);
  const own = tailKey(next);
  const isRoom = tails.has(own) || tally.tailCount < TAILS_MAX;
  const used = isRoom ? own : tailKey({ ...next, paymentServiceIds: next.paymentServiceIds.slice(0, 1) });
  const found = tails.get(used);
  if (found) return found;
  const tail = { ...newSums(), attemptsKept: 0, amount: 0, authorizedAmounts: new Map<string, number>() };
  tails.set(used, tail);
  tally.tailCount += 1;
  return tail;
}

function noteAuthorized(
  { byService }: Cells,
  payment: Pick<ComparedPayment, 'attempts' | 'amount'>,
  sum: 'authorizedAmount' | 'keptAmount',
): void {
  const cell = byService.get(authorizingCell(payment) ?? '');
  if (cell) cell[sum] += payment.amount;
}

/** Returns the key of the cell that authorised a payment. Null if none did. */
function authorizingCell({ attempts }: Pick<ComparedPayment, 'attempts'>): string | null {
  const turn = attempts.findIndex(({ end }) => end === 'authorized');
  const attempt = attempts[turn];
  return attempt ? cellKey(attempt.paymentServiceId, turn === 0) : null;
}

function addTo(sums: Sums, payment: ComparedPayment): void {
  sums.payments += 1;
  sums.authorizedThen += wasAuthorized(payment) ? 1 : 0;
  sums.attemptsThen += payment.attempts.length;
}

function sumsAt<Key>(map: Map<Key, Sums>, key: Key): Sums {
  const sums = map.get(key) ?? newSums();
  map.set(key, sums);
  return sums;
}

const add = <Key>(map: Map<Key, number>, key: Key): void => void map.set(key, (map.get(key) ?? 0) + 1);
