import { Link } from '../../app/route.tsx';
import type { Column } from '../../design/table.tsx';
import { texts } from '../../texts/texts.ts';
import type { Row } from './query.ts';
import { Age, State } from './state.tsx';
import { ledgerOf, paymentOf, reportOf } from './words.ts';

const { differences } = texts;
const { column } = differences;

/** The columns of the list. */
export const COLUMNS: readonly Column<Row>[] = [
  {
    name: 'finding',
    label: column.finding,
    track: 'minmax(124px, 1.2fr)',
    place: 'title',
    show: ({ finding }) => differences.finding[finding].short,
  },
  {
    name: 'state',
    label: column.state,
    track: 'minmax(112px, 0.5fr)',
    place: 'state',
    show: (row) => <State {...row} />,
  },
  {
    name: 'provider',
    label: column.provider,
    track: 'minmax(112px, 1.6fr)',
    place: 'note',
    show: (row) => (
      <>
        {row.source === 'SETTLEMENT' ? `${differences.source.SETTLEMENT}: ${reportOf(row)}` : reportOf(row)}
        <span className="row-more"> · {ledgerOf(row)}</span>
      </>
    ),
  },
  { name: 'ledger', label: column.ledger, track: 'minmax(112px, 1.5fr)', show: ledgerOf },
  {
    name: 'payment',
    label: column.payment,
    track: 'minmax(84px, 0.7fr)',
    show: (row) => (
      <Link className="grid-over" to={`payments/${row.transaction.id}`}>
        {paymentOf(row)}
      </Link>
    ),
  },
  {
    name: 'since',
    label: column.since,
    track: 'minmax(92px, 0.5fr)',
    place: 'time',
    show: ({ foundAt }) => <Age at={foundAt} />,
  },
];
