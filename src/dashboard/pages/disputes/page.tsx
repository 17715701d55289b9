import { usePages } from '../../app/pages.ts';
import { isAbout, useRefresh } from '../../app/refresh.ts';
import { go, Link, useRoute } from '../../app/route.tsx';
import { addressOf } from '../../app/session.ts';
import { PageHead } from '../../app/shell.tsx';
import { Button } from '../../design/button.tsx';
import { Empty } from '../../design/pieces.tsx';
import { Segments } from '../../design/segments.tsx';
import { Table, type Column } from '../../design/table.tsx';
import { Amount, Moment } from '../../design/value.tsx';
import { texts } from '../../texts/texts.ts';
import { FILTERS, readDisputes, type Filter, type Row } from './query.ts';
import { DisputeState, TimeLeft } from './state.tsx';

const { disputes } = texts;

const COLUMNS: readonly Column<Row>[] = [
  {
    name: 'amount',
    label: disputes.column.amount,
    track: 'minmax(110px, 0.9fr)',
    place: 'title',
    show: (row) => <Amount {...row} />,
  },
  {
    name: 'status',
    label: disputes.column.status,
    track: 'minmax(160px, 0.9fr)',
    place: 'state',
    show: ({ status }) => <DisputeState status={status} />,
  },
  {
    name: 'reason',
    label: disputes.column.reason,
    track: 'minmax(112px, 1.2fr)',
    place: 'note',
    show: ({ reason }) => disputes.reason[reason],
  },
  {
    name: 'payment',
    label: disputes.column.payment,
    track: 'minmax(86px, 0.9fr)',
    show: ({ transaction }) => transaction.externalIdentifier,
  },
  {
    name: 'created',
    label: disputes.column.created,
    track: 'minmax(104px, 0.7fr)',
    show: ({ createdAt }) => <Moment at={createdAt} />,
  },
  {
    name: 'respondBy',
    label: disputes.column.respondBy,
    track: 'minmax(132px, 0.8fr)',
    place: 'time',
    show: (row) => <TimeLeft {...row} />,
  },
];

const NAMES = Object.keys(FILTERS) as readonly Filter[];

/** The disputes of the merchant account, newest first. The address holds the filter. */
export function Disputes() {
  const given = useRoute().search.get('show');
  const filter = NAMES.find((each) => each === given) ?? 'all';
  const list = usePages(`disputes ${filter}`, (after, signal) => readDisputes(filter, after, signal));
  useRefresh(list.reload, { concerns: isAbout('dispute'), isMoving: false });
  return (
    <>
      <PageHead title={disputes.title} />
      <div className="toolbar">
        <Segments
          label={disputes.filter}
          value={filter}
          options={NAMES.map((each) => [each, disputes.filters[each]])}
          onChange={show}
        />
      </div>
      <Table
        label={disputes.title}
        columns={COLUMNS}
        list={list}
        to={({ id }) => `disputes/${id}`}
        empty={<NoDisputes filter={filter} />}
      />
    </>
  );
}

const show = (filter: Filter): void =>
  go(filter === 'all' ? 'disputes' : `disputes?show=${filter}`, { replace: true });

function NoDisputes({ filter }: { readonly filter: Filter }) {
  const { empty } = disputes;
  if (filter !== 'all')
    return (
      <Empty
        icon="dispute"
        title={empty.filtered[filter]}
        actions={<Button onPress={() => show('all')}>{empty.all}</Button>}
      />
    );
  return (
    <Empty
      icon="dispute"
      title={empty.title}
      actions={
        <>
          <Link className="button" to="payments">
            {empty.payments}
          </Link>
          <a className="button" href={addressOf('docs/guides/disputes')}>
            {empty.guide}
          </a>
        </>
      }
    >
      {empty.text}
    </Empty>
  );
}
