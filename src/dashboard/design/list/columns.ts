import type { ReactNode } from 'react';

/** A column of a table. */
export type Column<Row> = {
  readonly name: string;
  readonly label: string;
  /** The width as a track of a CSS grid. */
  readonly track: string;
  /** The place on a phone, where a row has two lines. Without a place, the column is hidden there. */
  readonly place?: 'title' | 'state' | 'note' | 'time';
  readonly show: (row: Row) => ReactNode;
};

type Described<Row> = Pick<Column<Row>, 'place' | 'show'> & {
  /** The least width in pixels, with the share of the rest. A single number is the whole width. */
  readonly track: readonly [least: number, share: number] | number;
  /** The label, if the words have another name for it. */
  readonly label?: string;
};

/** Describes the columns of a table. The name of a column is that of its label in the words. */
export const columnsOf = <Row>(
  words: Readonly<Record<string, string>>,
  columns: Readonly<Record<string, Described<Row>>>,
): readonly Column<Row>[] =>
  Object.entries(columns).map(([name, { track, label, ...column }]) => ({
    ...column,
    name,
    label: label ?? words[name] ?? name,
    track: typeof track === 'number' ? `${track}px` : `minmax(${track[0]}px, ${track[1]}fr)`,
  }));
