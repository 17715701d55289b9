import { useCallback, useEffect, useRef, useState } from 'react';
import { mayChangePayments, paymentsOf, useLive } from '../../app/data/live.tsx';
import { readPage, readRow, type Page, type Question, type Row } from './query.ts';

/** The payments so far, which grow at both ends: older ones by `more`, newer ones by events. */
export type PaymentList = {
  /** Null before the first answer. */
  readonly page: Page | null;
  readonly error: unknown;
  /** True while the rows are those of a former question. */
  readonly isStale: boolean;
  /** Reads the next older payments. Does nothing while a read runs, and at the end of the list. */
  readonly more: () => void;
  readonly retry: () => void;
};

/** Changed payments below the first page that are read one by one. More of them cause a new read of all. */
const SINGLE_MAX = 10;

/** Reads the payments that match a question, and keeps them as they are now. */
export function usePaymentList(question: Question): PaymentList {
  const key = JSON.stringify(question);
  const [state, setState] = useState<State>({ key, page: null, error: null });
  const [attempt, setAttempt] = useState(0);
  const current = useRef<Current>({ page: null, signal: null, isReading: false });

  const show = useCallback(
    (page: Page) => {
      current.current.page = page;
      setState({ key, page, error: null });
    },
    [key],
  );

  useEffect(() => {
    const abort = new AbortController();
    const mine: Current = { page: null, signal: abort.signal, isReading: true };
    current.current = mine;
    readPage(question, null, abort.signal)
      .then(
        (page) => abort.signal.aborted || show(page),
        (error: unknown) => abort.signal.aborted || setState((before) => ({ ...before, key, error })),
      )
      .finally(() => (mine.isReading = false));
    return () => abort.abort();
    // The key stands for the question.
  }, [key, attempt, show]);

  const more = (): void => {
    const { page, signal, isReading } = current.current;
    if (!page?.hasMore || !signal || isReading) return;
    const mine = current.current;
    mine.isReading = true;
    readPage(question, page.cursor, signal)
      .then(
        (next) => signal.aborted || show({ ...next, rows: [...(mine.page ?? page).rows, ...next.rows] }),
        (error: unknown) => signal.aborted || setState((before) => ({ ...before, error })),
      )
      .finally(() => (mine.isReading = false));
  };

  useLive((events) => {
    const { page, signal } = current.current;
    if (!page || !signal || !mayChangePayments(events)) return;
    refreshed(question, page, paymentsOf(events), signal).then(
      (next) => signal.aborted || show(next(current.current.page ?? page)),
      // The next event reads again.
      () => undefined,
    );
  });

  return { ...state, isStale: state.key !== key, more, retry: () => setAttempt((count) => count + 1) };
}

type State = { readonly key: string; readonly page: Page | null; readonly error: unknown };
type Current = { page: Page | null; readonly signal: AbortSignal | null; isReading: boolean };

/** Reads the newest payments and the changed older ones. Returns what merges them into the rows of that time. */
async function refreshed(
  question: Question,
  page: Page,
  changed: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<(now: Page) => Page> {
  const head = await readPage(question, null, signal);
  const below = page.rows.filter(({ id }) => changed.has(id) && !head.rows.some((row) => row.id === id));
  const known = below.filter((row) => isBelow(row, head.rows.at(-1))).slice(0, SINGLE_MAX);
  const again = await Promise.all(
    known.map(async ({ id }) => [id, await readRow(question, id, signal)] as const),
  );
  return (now) => merge(now, head, new Map(again));
}

/** Puts the newest payments in front, and replaces changed ones. Null removes a payment that matches no more. */
export function merge(now: Page, head: Page, again: ReadonlyMap<string, Row | null>): Page {
  if (!head.hasMore) return head;
  const older = now.rows
    .filter((row) => isBelow(row, head.rows.at(-1)))
    .map((row) => (again.has(row.id) ? (again.get(row.id) ?? null) : row))
    .filter((row) => row !== null);
  // A page that grew past the known rows has a gap behind it, so its own end counts.
  return older.length === 0 ? head : { ...now, rows: [...head.rows, ...older] };
}

/** True if a row comes after another in the list, which is newest first. */
function isBelow(row: Row, last: Row | undefined): boolean {
  if (!last) return false;
  return row.createdAt < last.createdAt || (row.createdAt === last.createdAt && row.id < last.id);
}
