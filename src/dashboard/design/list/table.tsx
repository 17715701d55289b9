import { useState, type CSSProperties, type ReactNode } from 'react';
import type { Pages } from '../../app/data/pages.ts';
import { useRowKeys } from '../../app/keys/row-keys.ts';
import { go } from '../../app/route.tsx';
import { texts } from '../../texts/texts.ts';
import { Bone } from '../pieces.tsx';
import { Problem } from '../problem.tsx';
import type { Column } from './columns.ts';
import { More } from './more.tsx';
import { TableRow } from './table-row.tsx';

type TableProps<Row> = {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly list: Pages<Row>;
  /** Returns the address of a row's page. Without an address and details, rows are only read. */
  readonly to?: (row: Row) => string;
  /** Draws the details of a row. A press on the row opens them below it. */
  readonly detail?: (row: Row) => ReactNode;
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

type FilledProps<Row> = Omit<TableProps<Row>, 'list' | 'empty'> & { readonly rows: readonly Row[] };

function Filled<Row extends { readonly id: string }>({ label, rows, ...look }: FilledProps<Row>) {
  const { columns, to, detail } = look;
  const [opened, setOpened] = useState<readonly string[]>([]);
  const toggle = (id: string): void =>
    setOpened(opened.includes(id) ? opened.filter((each) => each !== id) : [...opened, id]);
  const open = (id: string): void => {
    const row = rows.find((each) => each.id === id);
    if (row && to) go(to(row));
    else if (row && detail) toggle(id);
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
          <TableRow
            key={row.id}
            {...{ row, ...look }}
            isSelected={isActive(row.id)}
            isReached={isActive(row.id) || (active === null && index === 0)}
            isOpen={opened.includes(row.id)}
            onToggle={() => toggle(row.id)}
          />
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
