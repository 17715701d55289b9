import type { CSSProperties, ReactNode } from 'react';
import { go, Link } from '../app/route.tsx';
import { useRowKeys } from '../app/row-keys.ts';
import type { Pages } from '../app/pages.ts';
import { texts } from '../texts/texts.ts';
import { More } from './more.tsx';
import { Bone } from './pieces.tsx';
import { Problem } from './problem.tsx';

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

type TableProps<Row> = {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly list: Pages<Row>;
  /** Returns the address of a row's page. Without an address, rows are only read. */
  readonly to?: (row: Row) => string;
  /** Stands in for a list without rows. */
  readonly empty: ReactNode;
};

/** A list of records with its skeleton, its error and its empty state. The first column leads to the record. */
export function Table<Row extends { readonly id: string }>({ list, empty, ...rest }: TableProps<Row>) {
  const { data, error, isLoading, reload } = list;
  return (
    <>
      {error !== null && <Problem error={error} onRetry={reload} />}
      {data?.rows.length === 0 && !isLoading && empty}
      {data === null && isLoading && <Bones columns={rest.columns} />}
      {data && data.rows.length > 0 && <Filled rows={data.rows} {...rest} />}
      <More list={list} />
    </>
  );
}

const tracksOf = (columns: readonly { readonly track: string }[]): CSSProperties =>
  ({ '--tracks': columns.map(({ track }) => track).join(' ') }) as CSSProperties;

type FilledProps<Row> = Pick<TableProps<Row>, 'label' | 'columns' | 'to'> & { readonly rows: readonly Row[] };

function Filled<Row extends { readonly id: string }>({ label, columns, rows, to }: FilledProps<Row>) {
  const open = (id: string): void => {
    const row = rows.find((each) => each.id === id);
    if (row && to) go(to(row));
  };
  const scrollTo = (index: number): void =>
    document.getElementById(`row-${rows[index]?.id}`)?.scrollIntoView({ block: 'nearest' });
  const { active, isActive } = useRowKeys({ rows, open, scrollTo });
  return (
    <div className="grid table" role="grid" aria-label={label} style={tracksOf(columns)}>
      <div role="rowgroup" className="grid-head">
        <div role="row" className="grid-row">
          {columns.map(({ name, label: shown, place }) => (
            <span key={name} role="columnheader" data-place={place}>
              {shown}
            </span>
          ))}
        </div>
      </div>
      <div role="rowgroup" className="table-body">
        {rows.map((row, index) => (
          <div
            key={row.id}
            id={`row-${row.id}`}
            role="row"
            className="grid-row"
            aria-selected={isActive(row.id)}
            tabIndex={isActive(row.id) || (active === null && index === 0) ? 0 : -1}
          >
            {columns.map(({ name, place, show }, at) => (
              <span key={name} role="gridcell" data-place={place}>
                {at === 0 && to ? (
                  <Link to={to(row)} className="grid-link" tabIndex={-1}>
                    {show(row)}
                  </Link>
                ) : (
                  show(row)
                )}
              </span>
            ))}
          </div>
        ))}
      </div>
    </div>
  );
}

/** Rows that stand in for those on their way. */
function Bones({
  columns,
}: {
  readonly columns: readonly { name: string; track: string; place?: string }[];
}) {
  return (
    <div className="grid table" role="status" aria-label={texts.loading} style={tracksOf(columns)}>
      {[0, 1, 2, 3, 4].map((index) => (
        <div key={index} className="grid-row">
          {columns.map(({ name, place }, at) => (
            <span key={name} data-place={place}>
              <Bone width={64 + ((index * 29 + at * 41) % 64)} />
            </span>
          ))}
        </div>
      ))}
    </div>
  );
}
