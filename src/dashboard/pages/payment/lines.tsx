import type { ReactNode } from 'react';
import type { Pages } from '../../app/data/pages.ts';
import { More } from '../../design/list/more.tsx';
import { ReadList } from '../../design/record/card.tsx';

type LinesProps<Row> = {
  readonly title: string;
  readonly list: Pages<Row>;
  /** The sentence in place of the lines, if there is none. */
  readonly empty?: string;
  /** Draws a line. */
  readonly children: (row: Row) => ReactNode;
};

/** A list of a payment in a card of its own. Grows by a button. */
export const Lines = <Row extends { readonly id: string }>({
  title,
  list,
  empty,
  children,
}: LinesProps<Row>) => (
  <ReadList
    title={title}
    read={{ ...list, data: list.data && list.data.rows }}
    empty={empty}
    foot={<More list={list} />}
    isTall
  >
    {children}
  </ReadList>
);
