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
    track: 'minmax(124px, 1.1fr)',
    place: 'title',
    show: ({ finding }) => differences.finding[finding].short,
  },
  {
    name: 'state',
    label: column.state,
    track: 'minmax(96px, 0.6fr)',
    place: 'state',
    show: (row) => <State {...row} />,
  },
  {
    name: 'provider',
    label: column.provider,
    track: 'minmax(112px, 1.3fr)',
    place: 'note',
    show: (row) =>
      row.source === 'SETTLEMENT' ? `${differences.source.SETTLEMENT}: ${reportOf(row)}` : reportOf(row),
  },
  { name: 'ledger', label: column.ledger, track: 'minmax(112px, 1.2fr)', show: ledgerOf },
  {
    name: 'payment',
    label: column.payment,
    track: 'minmax(84px, 0.8fr)',
    show: (row) => (
      <Link className="grid-over" to={`payments/${row.transaction.id}`}>
        {paymentOf(row)}
      </Link>
    ),
  },
  {
    name: 'since',
    label: column.since,
    track: 'minmax(92px, 0.6fr)',
    place: 'time',
    show: ({ foundAt }) => <Age at={foundAt} />,
  },
];
