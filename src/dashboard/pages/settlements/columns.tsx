import type { Column } from '../../design/table.tsx';
import { Amount, Day, writeMoney } from '../../design/value.tsx';
import { texts } from '../../texts/texts.ts';
import type { PayoutRow, Row } from './query.ts';
import { EntryState } from './state.tsx';

const { settlements } = texts;
const { column } = settlements;

const NET: Column<Row> = {
  name: 'net',
  label: column.net,
  track: 'minmax(116px, 1fr)',
  place: 'title',
  show: ({ net, currency }) => <Amount amount={net} currency={currency} />,
};

const KIND: Column<Row> = {
  name: 'kind',
  label: column.kind,
  track: 'minmax(110px, 1fr)',
  show: ({ kind }) => settlements.kind[kind],
};

const STATE: Column<Row> = {
  name: 'state',
  label: column.state,
  track: 'minmax(92px, 0.8fr)',
  place: 'state',
  show: (row) => <EntryState {...row} />,
};

const DAY: Column<Row> = {
  name: 'settledOn',
  label: column.settledOn,
  track: 'minmax(90px, 0.7fr)',
  place: 'time',
  show: ({ settledOn }) => <Day on={settledOn} />,
};

/** The columns of entries. */
export const ENTRIES: readonly Column<Row>[] = [
  NET,
  { ...KIND, place: 'note' },
  STATE,
  {
    name: 'gross',
    label: column.gross,
    track: 'minmax(90px, 0.8fr)',
    show: ({ gross, currency }) => writeMoney({ amount: gross, currency }),
  },
  {
    name: 'fee',
    label: column.fee,
    track: 'minmax(70px, 0.6fr)',
    show: ({ fee, currency }) => writeMoney({ amount: fee, currency }),
  },
  DAY,
];

/** The columns of entries that do not fit. */
export const DIFFERENCES: readonly Column<Row>[] = [
  NET,
  KIND,
  STATE,
  {
    name: 'reason',
    label: column.reason,
    track: 'minmax(170px, 1.6fr)',
    place: 'note',
    show: ({ difference }) =>
      difference && (difference.explanation ?? settlements.difference[difference.reason].short),
  },
  DAY,
];

/** The columns of payouts. */
export const PAYOUTS: readonly Column<PayoutRow>[] = [
  {
    name: 'amount',
    label: column.amount,
    track: 'minmax(116px, 1fr)',
    place: 'title',
    show: (row) => <Amount {...row} />,
  },
  {
    name: 'service',
    label: column.service,
    track: 'minmax(130px, 1.2fr)',
    place: 'note',
    show: ({ paymentService }) => paymentService.displayName,
  },
  {
    name: 'payout',
    label: column.payout,
    track: 'minmax(130px, 1.6fr)',
    show: ({ paymentServicePayoutId }) => <span className="mono">{paymentServicePayoutId}</span>,
  },
  {
    name: 'fee',
    label: column.fee,
    track: 'minmax(70px, 0.6fr)',
    show: ({ fee, currency }) => writeMoney({ amount: fee, currency }),
  },
  {
    name: 'settledOn',
    label: column.settledOn,
    track: 'minmax(90px, 0.7fr)',
    place: 'time',
    show: ({ settledOn }) => <Day on={settledOn} />,
  },
];
