import { useState } from 'react';
import { useKeys } from './keys.ts';

export type RowKeys = {
  /** The id of the row with the focus. Null before the first key. */
  readonly active: string | null;
  readonly isActive: (id: string) => boolean;
};

type Rows = {
  readonly rows: readonly { readonly id: string }[];
  readonly open: (id: string) => void;
  readonly scrollTo: (index: number) => void;
};

/** Moves through the rows of a grid with j, k and the arrows, and opens one with Enter. */
export function useRowKeys({ rows, open, scrollTo }: Rows): RowKeys {
  const [active, setActive] = useState<string | null>(null);
  const index = rows.findIndex(({ id }) => id === active);
  const move = (to: number): void => {
    const row = rows[Math.max(0, Math.min(rows.length - 1, to))];
    if (!row) return;
    setActive(row.id);
    scrollTo(rows.indexOf(row));
    // The row may come into the document only now.
    requestAnimationFrame(() => document.getElementById(`row-${row.id}`)?.focus({ preventScroll: true }));
  };
  const enter = (): boolean => {
    const focused = document.activeElement?.id.replace(/^row-/, '');
    const row = rows.find(({ id }) => id === focused) ?? (isIdle() ? rows[index] : undefined);
    if (row) open(row.id);
    return row !== undefined;
  };
  useKeys({
    j: () => move(index + 1),
    k: () => move(index - 1),
    ArrowDown: () => isOnRow() && move(index + 1),
    ArrowUp: () => isOnRow() && move(index - 1),
    Enter: enter,
  });
  return { active: index < 0 ? null : active, isActive: (id) => id === active };
}

const isOnRow = (): boolean => document.activeElement?.id.startsWith('row-') ?? false;

/** True if nothing of its own has the focus, so that Enter belongs to the list. */
const isIdle = (): boolean => document.activeElement === null || document.activeElement === document.body;
