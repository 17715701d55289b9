import { useEffect, useRef, useState, type KeyboardEvent, type PointerEvent } from 'react';

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

/** A list in the order that a person chose. */
export type Reordered = Reordering & {
  readonly order: readonly string[];
  readonly isChanged: boolean;
  /** The sentence about the latest move, for screen readers. */
  readonly said: string;
  /** Gives the stored order back. */
  readonly discard: () => void;
};

const STEPS: Readonly<Record<string, number>> = {
  ...{ ArrowUp: -1, ArrowDown: 1, Home: -Infinity, End: Infinity },
};

/**
 * Reorders a list. `say` tells the place of a moved row. A drag changes the order at once, so the list shows the result before the
 * release. Escape during a drag gives the former order back. A list with other rows than before has its stored order.
 */
export function useReorder(
  ids: readonly string[],
  say: (id: string, rank: number, count: number) => string,
): Reordered {
  const [chosen, choose] = useState<readonly string[] | null>(null);
  const [dragged, setDragged] = useState<string | null>(null);
  const [said, setSaid] = useState('');
  const lastMoved = useRef<string | null>(null);
  const order = chosen && hasSame(chosen, ids) ? chosen : ids;
  const move = (id: string, to: number): void => {
    const from = order.indexOf(id);
    const at = Math.max(0, Math.min(order.length - 1, to));
    if (at === from) return;
    choose(moved(order, from, at));
    setSaid(say(id, at + 1, order.length));
  };
  const latest = useRef({ order, move });
  latest.current = { order, move };
  useEffect(() => {
    // A row that moves in the document loses the focus.
    if (lastMoved.current !== null) document.getElementById(handleOf(lastMoved.current))?.focus();
    lastMoved.current = null;
  });
  useEffect(() => {
    if (dragged === null) return undefined;
    const former = latest.current.order;
    return follow(dragged, latest, (isKept) => {
      if (!isKept) choose(former);
      setDragged(null);
    });
  }, [dragged]);
  const press = (id: string, event: KeyboardEvent): void => {
    const step = STEPS[event.key];
    if (step === undefined || event.metaKey || event.ctrlKey) return;
    event.preventDefault();
    lastMoved.current = id;
    move(id, order.indexOf(id) + step);
  };
  return {
    ...{ order, said, dragged, isChanged: order.some((id, at) => id !== ids[at]) },
    discard: () => choose(null),
    handle: (id) => ({
      id: handleOf(id),
      onPointerDown: (event) => {
        if (event.button !== 0) return;
        event.preventDefault();
        setDragged(id);
      },
      onKeyDown: (event) => press(id, event),
    }),
  };
}

const hasSame = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((id) => other.includes(id));

/** Puts the row at an index to another index. */
export function moved<Row>(rows: readonly Row[], from: number, to: number): readonly Row[] {
  const row = rows[from];
  if (row === undefined) return rows;
  const others = rows.toSpliced(from, 1);
  return others.toSpliced(Math.max(0, Math.min(others.length, to)), 0, row);
}

const handleOf = (id: string): string => `handle-${id}`;

type Latest = {
  readonly current: { readonly order: readonly string[]; readonly move: (id: string, to: number) => void };
};

/** Moves a row with the pointer until the release. */
function follow(id: string, latest: Latest, end: (isKept: boolean) => void): () => void {
  const abort = new AbortController();
  const { signal } = abort;
  addEventListener(
    'pointermove',
    ({ clientY }) => latest.current.move(id, indexAt(clientY, id, latest.current.order)),
    { signal },
  );
  for (const name of ['pointerup', 'pointercancel']) addEventListener(name, () => end(true), { signal });
  const cancel = (event: globalThis.KeyboardEvent): void => {
    if (event.key !== 'Escape') return;
    // The key ends the drag alone, and a dialog around the list stays open.
    event.stopPropagation();
    end(false);
  };
  addEventListener('keydown', cancel, { signal, capture: true });
  return () => abort.abort();
}

/** Counts the other rows above a height of the window. */
const indexAt = (y: number, id: string, ids: readonly string[]): number =>
  ids.filter((each) => {
    const row = each === id ? null : document.getElementById(handleOf(each))?.closest('li');
    const box = row?.getBoundingClientRect();
    return box !== undefined && box.top + box.height / 2 < y;
  }).length;
