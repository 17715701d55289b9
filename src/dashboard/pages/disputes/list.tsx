import type { DisputeStatus } from '../../../client/generated/schema.ts';
import { api } from '../../app/data/api.ts';
import { pageOf, rowsOf, useList, type Ask, type RowOf } from '../../app/data/pages.ts';
import { isAbout } from '../../app/data/refresh.ts';
import { useShown } from '../../app/route.tsx';
import { Button } from '../../design/button.tsx';
import { optionsOf } from '../../design/form/field.tsx';
import { Segments } from '../../design/form/segments.tsx';
import { NothingWaits } from '../../design/list/cases.tsx';
import { columnsOf } from '../../design/list/columns.ts';
import { ListPage, Toolbar } from '../../design/list/list-page.tsx';
import { Empty } from '../../design/pieces.tsx';
import { Amount, Moment } from '../../design/value.tsx';
import { texts } from '../../texts/texts.ts';
import { DisputeState, TimeLeft } from './state.tsx';

const { disputes } = texts;

/** The disputes that a person can choose. */
const FILTERS = {
  ...{ all: null, respond: ['NEEDS_RESPONSE'], review: ['UNDER_REVIEW', 'EXPIRED'], won: ['WON'] },
  lost: ['LOST', 'ACCEPTED'],
} as const satisfies Record<string, readonly DisputeStatus[] | null>;

type Filter = keyof typeof FILTERS;

const NAMES = Object.keys(FILTERS) as readonly Filter[];

const ROW = {
  ...{ id: true, stage: true, status: true, reason: true, amount: true, currency: true },
  ...{ respondBy: true, createdAt: true },
  transaction: { externalIdentifier: true },
} as const;

/** Reads a page of the disputes, newest first. */
async function readDisputes(filter: Filter, { after, signal }: Ask) {
  const wanted = { first: 50, after, filter: { status: FILTERS[filter] } };
  const { disputes: found } = await api.query({ disputes: [wanted, pageOf(ROW)] }, { signal });
  return rowsOf(found);
}

const COLUMNS = columnsOf<RowOf<typeof readDisputes>>(disputes.column, {
  amount: { track: [110, 0.9], place: 'title', show: (row) => <Amount {...row} /> },
  status: { track: [160, 0.9], place: 'state', show: ({ status }) => <DisputeState of={status} /> },
  reason: { track: [112, 1.2], place: 'note', show: ({ reason }) => disputes.reason[reason] },
  payment: { track: [86, 0.9], show: ({ transaction }) => transaction.externalIdentifier },
  created: { track: [104, 0.7], show: ({ createdAt }) => <Moment at={createdAt} /> },
  respondBy: { track: [132, 0.8], place: 'time', show: (row) => <TimeLeft {...row} /> },
});

/** The disputes of the merchant account, newest first. The address holds the filter. */
export function Disputes() {
  const [filter, show] = useShown('disputes', NAMES, 'all');
  const list = useList(`disputes ${filter}`, (ask) => readDisputes(filter, ask), isAbout('dispute'));
  return (
    <ListPage
      title={disputes.title}
      list={list}
      columns={COLUMNS}
      to={({ id }) => `disputes/${id}`}
      empty={<NoDisputes filter={filter} onAll={() => show('all')} />}
    >
      <Toolbar>
        <Segments
          label={disputes.filter}
          value={filter}
          options={optionsOf(disputes.filters, NAMES)}
          onChange={show}
        />
      </Toolbar>
    </ListPage>
  );
}

function NoDisputes({ filter, onAll }: { readonly filter: Filter; readonly onAll: () => void }) {
  const { empty } = disputes;
  if (filter === 'all') return <NothingWaits icon="dispute" words={empty} guide="docs/guides/disputes" />;
  return (
    <Empty
      icon="dispute"
      title={empty.filtered[filter]}
      actions={<Button onPress={onAll}>{empty.all}</Button>}
    />
  );
}
