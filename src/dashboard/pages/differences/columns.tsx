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
    track: 'minmax(130px, 1.1fr)',
    place: 'title',
    show: ({ finding }) => differences.finding[finding].short,
  },
  {
    name: 'state',
    label: column.state,
    track: 'minmax(84px, 0.6fr)',
    place: 'state',
    show: (row) => <State {...row} />,
  },
  {
    name: 'provider',
    label: column.provider,
    track: 'minmax(120px, 1.1fr)',
    place: 'note',
    show: reportOf,
  },
  { name: 'ledger', label: column.ledger, track: 'minmax(120px, 1.3fr)', show: ledgerOf },
  {
    name: 'source',
    label: column.source,
    track: 'minmax(80px, 0.6fr)',
    show: ({ source }) => differences.source[source],
  },
  {
    name: 'payment',
    label: column.payment,
    track: 'minmax(90px, 0.8fr)',
    show: (row) => (
      <Link className="grid-over" to={`payments/${row.transaction.id}`}>
        {paymentOf(row)}
      </Link>
    ),
  },
  {
    name: 'since',
    label: column.since,
    track: 'minmax(90px, 0.6fr)',
    place: 'time',
    show: ({ foundAt }) => <Age at={foundAt} />,
  },
];
