import { useEffect } from 'react';
import { useReorder, type Reordering } from '../../../app/keys/reorder.ts';
import { texts } from '../../../texts/texts.ts';

type Order = Reordering & {
  readonly order: readonly string[];
  /** The sentence about the latest move, for screen readers. */
  readonly said: string;
};

/** Reorders a list of a draft. The new order takes effect after each move, and at the end of a drag. */
export function useOrder(
  ids: readonly string[],
  nameOf: (id: string) => string,
  onOrder: (ids: readonly string[]) => void,
): Order {
  const { order, isChanged, dragged, said, handle, discard } = useReorder(ids, (id, rank, count) =>
    texts.order.said(nameOf(id), rank, count),
  );
  useEffect(() => {
    if (!isChanged || dragged !== null) return;
    onOrder(order);
    // The draft has the order now. A kept one would come back when a removed row does.
    discard();
  }, [isChanged, dragged, order, onOrder, discard]);
  return { order, dragged, said, handle };
}
