import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useLayoutEffect, useRef, useState, type CSSProperties } from 'react';
import { useMedia } from '../../app/frame/media.ts';
import { useRowKeys } from '../../app/keys/row-keys.ts';
import { go, Link } from '../../app/route.tsx';
import { Bone } from '../../design/pieces.tsx';
import { texts } from '../../texts/texts.ts';
import { COLUMNS, type ColumnName } from './columns.tsx';
import type { PaymentList } from './list.ts';
import type { Row } from './query.ts';

/** The height of a row in pixels, which the style sheet repeats. A phone shows two lines. */
const ROW = { wide: 44, phone: 68 } as const;

type GridProps = { readonly list: PaymentList; readonly columns: readonly ColumnName[] };

/** The payments as a grid. Only the rows near the screen are in the document, so thousands of rows scroll smoothly. */
export function Grid({ list, columns }: GridProps) {
  const rows = list.page?.rows ?? [];
  const hasMore = list.page?.hasMore ?? true;
  const { frame, virtual, top } = useVirtualRows(rows);
  const items = virtual.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (hasMore && rows.length > 0 && last >= rows.length - AHEAD) list.more();
  });
  const { active, isActive } = useRowKeys({
    rows,
    open: (id) => go(`payments/${id}`),
    scrollTo: (index) => virtual.scrollToIndex(index),
  });
  const style = { '--tracks': columns.map((name) => COLUMNS[name].track).join(' ') } as CSSProperties;
  return (
    <div
      className="grid"
      role="grid"
      aria-label={texts.payments.title}
      aria-rowcount={hasMore ? -1 : rows.length + 1}
      aria-busy={list.isStale}
      style={style}
    >
      <Head columns={columns} />
      <div role="rowgroup" ref={frame} className="grid-body" style={{ height: virtual.getTotalSize() }}>
        {items.map(({ key, index, start }) => {
          const row = rows[index];
          return (
            row && (
              <GridRow
                key={key}
                row={row}
                columns={columns}
                place={{ index, y: start - top }}
                isActive={isActive(row.id)}
                isFirst={active === null && index === 0}
              />
            )
          );
        })}
      </div>
      {hasMore && <Bones columns={columns} count={list.page ? 3 : 12} />}
    </div>
  );
}

/** The next rows are read when so many unseen ones are left. A person who scrolls fast then rarely waits. */
const AHEAD = 60;

/** Chooses the rows near the screen. */
function useVirtualRows(rows: readonly Row[]) {
  const frame = useRef<HTMLDivElement>(null);
  const isPhone = useMedia('(max-width: 760px)');
  const height = isPhone ? ROW.phone : ROW.wide;
  const [top, setTop] = useState(0);
  useLayoutEffect(() => setTop(frame.current?.offsetTop ?? 0), [isPhone]);
  const virtual = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => height,
    getItemKey: (index) => rows[index]?.id ?? index,
    overscan: 15,
    scrollMargin: top,
  });
  useEffect(() => virtual.measure(), [virtual, height]);
  useSteadyScroll(rows, height, top);
  return { frame, virtual, top };
}

function Head({ columns }: Pick<GridProps, 'columns'>) {
  return (
    <div role="rowgroup" className="grid-head">
      <div role="row" aria-rowindex={1} className="grid-row">
        {columns.map((name) => (
          <span key={name} role="columnheader" data-column={name}>
            {texts.payments.column[name]}
          </span>
        ))}
      </div>
    </div>
  );
}

type GridRowProps = {
  readonly row: Row;
  readonly columns: readonly ColumnName[];
  readonly place: { readonly index: number; readonly y: number };
  readonly isActive: boolean;
  readonly isFirst: boolean;
};

function GridRow({ row, columns, place, isActive, isFirst }: GridRowProps) {
  return (
    <div
      id={`row-${row.id}`}
      className="grid-row"
      role="row"
      aria-rowindex={place.index + 2}
      aria-selected={isActive}
      tabIndex={isActive || isFirst ? 0 : -1}
      style={{ transform: `translateY(${place.y}px)` }}
    >
      {columns.map((name) => (
        <span key={name} role="gridcell" data-column={name}>
          {name === 'amount' ? (
            <Link to={`payments/${row.id}`} className="grid-link" tabIndex={-1}>
              {COLUMNS[name].show(row)}
            </Link>
          ) : (
            COLUMNS[name].show(row)
          )}
        </span>
      ))}
    </div>
  );
}

/** Rows that stand in for those on their way. */
function Bones({ columns, count }: { readonly columns: readonly ColumnName[]; readonly count: number }) {
  return (
    <div className="grid-bones" role="presentation" aria-label={texts.loading}>
      {Array.from({ length: count }, (_, index) => (
        <div key={index} className="grid-row">
          {columns.map((name, place) => (
            <span key={name} data-column={name}>
              <Bone width={56 + ((index * 29 + place * 41) % 64)} />
            </span>
          ))}
        </div>
      ))}
    </div>
  );
}

/** Keeps the rows in place for a reader who has scrolled, when newer rows come in front of them. */
function useSteadyScroll(rows: readonly Row[], height: number, top: number): void {
  const first = useRef<string | null>(null);
  useLayoutEffect(() => {
    const added = first.current === null ? 0 : rows.findIndex(({ id }) => id === first.current);
    first.current = rows[0]?.id ?? null;
    if (added > 0 && window.scrollY > top) window.scrollBy(0, added * height);
  }, [rows, height, top]);
}
