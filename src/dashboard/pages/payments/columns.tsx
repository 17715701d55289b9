import type { ReactNode } from 'react';
import { Amount, Moment } from '../../design/value.tsx';
import { texts } from '../../texts/texts.ts';
import { Method } from './method.tsx';
import type { Row } from './query.ts';
import { Status } from './status.tsx';

export type ColumnName = keyof typeof texts.payments.column;

type Column = {
  /** The width as a track of a CSS grid. */
  readonly track: string;
  readonly show: (row: Row) => ReactNode;
};

/** Every column in the order of the grid. */
export const COLUMNS: Readonly<Record<ColumnName, Column>> = {
  amount: { track: 'minmax(128px, 1.1fr)', show: (row) => <Amount {...row} /> },
  status: { track: 'minmax(168px, 0.9fr)', show: (row) => <Status {...row} /> },
  method: { track: 'minmax(166px, 1.1fr)', show: (row) => <Method {...row} /> },
  customer: { track: 'minmax(150px, 1.7fr)', show: customerOf },
  reference: { track: 'minmax(110px, 1.1fr)', show: (row) => row.externalIdentifier },
  service: { track: 'minmax(120px, 1.1fr)', show: (row) => row.paymentService?.displayName },
  country: { track: 'minmax(70px, 0.5fr)', show: (row) => row.country },
  reason: { track: 'minmax(130px, 1.1fr)', show: (row) => row.errorCode?.replaceAll('_', ' ') },
  id: { track: 'minmax(110px, 1fr)', show: (row) => <span className="mono">{row.id}</span> },
  created: { track: 'minmax(118px, 0.8fr)', show: (row) => <Moment at={row.createdAt} /> },
};

/** The columns before anybody chose. */
const FIRST: readonly ColumnName[] = ['amount', 'status', 'method', 'customer', 'reference', 'created'];

const KEY = 'paygraph.payments.columns';

/** The names of all columns. */
export const COLUMN_NAMES = Object.keys(COLUMNS) as readonly ColumnName[];

/** Returns the chosen columns. Amount and status always show. */
export function readColumns(): readonly ColumnName[] {
  const stored = localStorage.getItem(KEY)?.split(',') ?? FIRST;
  return COLUMN_NAMES.filter((name) => ALWAYS.includes(name) || stored.includes(name));
}

const ALWAYS: readonly ColumnName[] = ['amount', 'status'];

/** The columns that a person may hide. */
export const OPTIONAL_COLUMNS = COLUMN_NAMES.filter((name) => !ALWAYS.includes(name));

/** Keeps the chosen columns in this browser. */
export const keepColumns = (names: readonly ColumnName[]): void => localStorage.setItem(KEY, names.join(','));

/** Names the customer: by e-mail address, by name, or as a guest. */
function customerOf({ buyer }: Row): ReactNode {
  const { emailAddress, firstName, lastName } = buyer?.billingDetails ?? {};
  const name = [firstName, lastName].filter(Boolean).join(' ');
  return (
    emailAddress ?? buyer?.displayName ?? (name || <span className="quiet">{texts.payments.noCustomer}</span>)
  );
}
