import type { ReactNode } from 'react';
import type { Read } from '../../app/data/read.ts';
import { CardBones } from '../pieces.tsx';
import { Problem } from '../problem.tsx';

type CardProps = {
  readonly title: ReactNode;
  /** The class beside that of each card. */
  readonly look?: string;
  readonly label?: string;
  /** Stands at the end of the title's line. */
  readonly aside?: ReactNode;
  readonly children?: ReactNode;
};

/** A part of a page with a title. */
export const Card = ({ title, look, label, aside, children }: CardProps) => (
  <section className={look ? `card ${look}` : 'card'} aria-label={label}>
    <header>
      <h2>{title}</h2>
      {aside}
    </header>
    {children}
  </section>
);

type CardListProps<Row> = Omit<CardProps, 'children' | 'label'> & {
  /** Undefined without the scope that reads the rows. The card is left out then. */
  readonly rows: readonly Row[] | undefined;
  /** Stands in place of the rows, if there is none. */
  readonly empty?: ReactNode;
  /** Stands above the rows. */
  readonly note?: ReactNode;
  /** Stands below the rows. */
  readonly foot?: ReactNode;
  /** True if a row has lines of its own. */
  readonly isTall?: boolean;
  readonly children: (row: Row) => ReactNode;
};

/** A card of rows, one below the other. */
export const CardList = <Row extends { readonly id: string }>(props: CardListProps<Row>) => {
  const { rows, empty, note, foot, isTall = false, children, ...card } = props;
  if (!rows) return null;
  return (
    <Card {...card}>
      {note}
      {rows.length === 0 && empty && <p className="card-note">{empty}</p>}
      <ul className="events">
        {rows.map((row) => (
          <li key={row.id} className={isTall ? undefined : 'event'}>
            {children(row)}
          </li>
        ))}
      </ul>
      {foot}
    </Card>
  );
};

/** A card of rows that are read for it. */
export const ReadList = <Row extends { readonly id: string }>({
  read: { data, error, isLoading, reload },
  note,
  ...card
}: Omit<CardListProps<Row>, 'rows'> & { readonly read: Read<readonly Row[]> }) => (
  <CardList
    {...card}
    rows={data ?? []}
    empty={data && card.empty}
    note={
      <>
        {error !== null && <Problem error={error} onRetry={reload} />}
        {!data && isLoading && <CardBones isInside widths={[280, 320]} />}
        {note}
      </>
    }
  />
);
