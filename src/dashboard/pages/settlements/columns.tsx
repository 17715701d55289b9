import type { RowOf } from '../../app/data/pages.ts';
import { columnsOf } from '../../design/list/columns.ts';
import { Amount, Day, writeMoney } from '../../design/value.tsx';
import { texts } from '../../texts/texts.ts';
import type { EntryRow, readPayouts } from './query.ts';
import { EntryState } from './state.tsx';

const { kind: kinds, column, difference: reasons } = texts.settlements;

const SHARED = {
  net: {
    track: [116, 1],
    place: 'title',
    show: ({ net, currency }: EntryRow) => <Amount amount={net} currency={currency} />,
  },
  kind: { track: [110, 1], show: ({ kind }: EntryRow) => kinds[kind] },
  state: { track: [92, 0.8], place: 'state', show: (row: EntryRow) => <EntryState {...row} /> },
  settledOn: {
    track: [90, 0.7],
    place: 'time',
    show: ({ settledOn }: Pick<EntryRow, 'settledOn'>) => <Day on={settledOn} />,
  },
} as const;

const fee = {
  track: [70, 0.6],
  show: ({ fee: amount, currency }: Pick<EntryRow, 'fee' | 'currency'>) => writeMoney({ amount, currency }),
} as const;

/** The columns of entries. */
export const ENTRIES = columnsOf<EntryRow>(column, {
  net: SHARED.net,
  kind: { ...SHARED.kind, place: 'note' },
  state: SHARED.state,
  gross: { track: [90, 0.8], show: ({ gross, currency }) => writeMoney({ amount: gross, currency }) },
  fee,
  settledOn: SHARED.settledOn,
});

/** The columns of entries that do not fit. */
export const DIFFERENCES = columnsOf<EntryRow>(column, {
  net: SHARED.net,
  kind: SHARED.kind,
  state: SHARED.state,
  reason: {
    ...{ track: [170, 1.6], place: 'note' },
    show: ({ difference }) => difference && (difference.explanation ?? reasons[difference.reason].short),
  },
  settledOn: SHARED.settledOn,
});

/** The columns of payouts. */
export const PAYOUTS = columnsOf<RowOf<typeof readPayouts>>(column, {
  amount: { track: [116, 1], place: 'title', show: (row) => <Amount {...row} /> },
  service: { track: [130, 1.2], place: 'note', show: ({ paymentService }) => paymentService.displayName },
  payout: { track: [130, 1.6], show: (row) => <span className="mono">{row.paymentServicePayoutId}</span> },
  fee,
  settledOn: SHARED.settledOn,
});
