import { useEffect, useRef, useState, type KeyboardEvent, type PointerEvent } from 'react';
import { moved } from './order.ts';

type Reorder = {
  /** The ids in their present order. */
  readonly ids: readonly string[];
  /** `id` is the row that moved. Null after a drag that was given up. */
  readonly onChange: (ids: readonly string[], id: string | null) => void;
};

/** The rows of a list that a person drags by handles, or moves with the arrows. */
export type Reordering = {
  /** The id of the row under the finger or the mouse. */
  readonly dragged: string | null;
  /** Returns the events of a row's handle. */
  readonly handle: (id: string) => {
    readonly id: string;
    readonly onPointerDown: (event: PointerEvent) => void;
    readonly onKeyDown: (event: KeyboardEvent) => void;
  };
};

const STEPS: Readonly<Record<string, number>> = {
  ...{ ArrowUp: -1, ArrowDown: 1, Home: -Infinity, End: Infinity },
};

/**
 * Reorders a list. A drag changes the order at once, so the list shows the result before the release. Escape during a drag gives the
 * former order back.
 */
export function useReorder(list: Reorder): Reordering {
  const latest = useRef(list);
  latest.current = list;
  const [dragged, setDragged] = useState<string | null>(null);
  const lastMoved = useRef<string | null>(null);
  const move = (id: string, to: number): void => {
    const { ids, onChange } = latest.current;
    const from = ids.indexOf(id);
    const at = Math.max(0, Math.min(ids.length - 1, to));
    if (at !== from) onChange(moved(ids, from, at), id);
  };
  useEffect(() => {
    // A row that moves in the document loses the focus.
    if (lastMoved.current !== null) document.getElementById(handleOf(lastMoved.current))?.focus();
    lastMoved.current = null;
  });
  useEffect(
    () => (dragged === null ? undefined : follow(dragged, { latest, move, end: () => setDragged(null) })),
    [dragged],
  );
  return {
    dragged,
    handle: (id) => ({
      id: handleOf(id),
      onPointerDown: (event) => {
        if (event.button !== 0) return;
        event.preventDefault();
        setDragged(id);
      },
      onKeyDown: (event) => {
        const step = STEPS[event.key];
        if (step === undefined || event.metaKey || event.ctrlKey) return;
        event.preventDefault();
        lastMoved.current = id;
        move(id, latest.current.ids.indexOf(id) + step);
      },
    }),
  };
}

const handleOf = (id: string): string => `handle-${id}`;

type Following = {
  readonly latest: { readonly current: Reorder };
  readonly move: (id: string, to: number) => void;
  readonly end: () => void;
};

/** Moves a row with the pointer until the release. */
function follow(id: string, { latest, move, end }: Following): () => void {
  const { ids: former } = latest.current;
  const abort = new AbortController();
  const { signal } = abort;
  const pointer = ({ clientY }: globalThis.PointerEvent): void =>
    move(id, indexAt(clientY, id, latest.current.ids));
  addEventListener('pointermove', pointer, { signal });
  for (const name of ['pointerup', 'pointercancel']) addEventListener(name, end, { signal });
  addEventListener(
    'keydown',
    ({ key }) => {
      if (key !== 'Escape') return;
      latest.current.onChange(former, null);
      end();
    },
    { signal },
  );
  return () => abort.abort();
}

/** Counts the other rows above a height of the window. */
const indexAt = (y: number, id: string, ids: readonly string[]): number =>
  ids.filter((each) => {
    const row = each === id ? null : document.getElementById(handleOf(each))?.closest('li');
    const box = row?.getBoundingClientRect();
    return box !== undefined && box.top + box.height / 2 < y;
  }).length;
