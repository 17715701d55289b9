import type { ReactNode } from 'react';
import { Link } from '../../app/route.tsx';
import { Icon } from '../icon.tsx';
import type { Column } from './columns.ts';

type RowProps<Row> = {
  readonly row: Row;
  readonly columns: readonly Column<Row>[];
  readonly to?: (row: Row) => string;
  readonly detail?: (row: Row) => ReactNode;
  readonly isSelected: boolean;
  /** True for the row that the key Tab reaches. */
  readonly isReached: boolean;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
};

/** A row of a table, with its details below while it is open. */
export function TableRow<Row extends { readonly id: string }>(props: RowProps<Row>) {
  const { row, columns, detail, isSelected, isReached, isOpen } = props;
  return (
    <>
      <div
        id={`row-${row.id}`}
        role="row"
        className="grid-row"
        aria-selected={isSelected}
        tabIndex={isReached ? 0 : -1}
      >
        {columns.map((column, at) => (
          <span key={column.name} role="gridcell" data-place={column.place}>
            {at === 0 ? <Lead {...props}>{column.show(row)}</Lead> : column.show(row)}
          </span>
        ))}
      </div>
      {detail && isOpen && (
        <div id={`detail-${row.id}`} role="row" className="grid-detail">
          <div role="gridcell" aria-colspan={columns.length}>
            {detail(row)}
          </div>
        </div>
      )}
    </>
  );
}

type LeadProps<Row> = RowProps<Row> & { readonly children: ReactNode };

/** Leads to the record of a row, or opens its details. The key Tab passes over it, because Enter on the row does the same. */
function Lead<Row extends { readonly id: string }>(props: LeadProps<Row>) {
  const { row, to, detail, isOpen, onToggle, children } = props;
  if (to)
    return (
      <Link to={to(row)} className="grid-link" tabIndex={-1}>
        {children}
      </Link>
    );
  if (!detail) return children;
  return (
    <button
      type="button"
      className="grid-link grid-opener"
      aria-expanded={isOpen}
      aria-controls={isOpen ? `detail-${row.id}` : undefined}
      tabIndex={-1}
      onClick={onToggle}
    >
      <Icon name="down" size={14} />
      <span>{children}</span>
    </button>
  );
}
