import type { FeedEvent } from '../../../client/event.ts';
import { usePages } from '../../app/pages.ts';
import { useRead, type Read } from '../../app/read.ts';
import { useRefresh } from '../../app/refresh.ts';
import { go, useRoute } from '../../app/route.tsx';
import { PageHead } from '../../app/shell.tsx';
import { Segments } from '../../design/segments.tsx';
import { Table } from '../../design/table.tsx';
import { texts } from '../../texts/texts.ts';
import { DIFFERENCES, ENTRIES, PAYOUTS } from './columns.tsx';
import { NoDifferences, NoEntries } from './empty.tsx';
import { EntryFilters } from './filters.tsx';
import {
  readDifferences,
  readEntries,
  readPayouts,
  readSources,
  type Filters,
  type Source,
} from './query.ts';
import { Sources } from './sources.tsx';
import { Sums } from './sums.tsx';

const { settlements } = texts;

const VIEWS = ['entries', 'differences', 'explained', 'payouts'] as const;
type View = (typeof VIEWS)[number];

/** The entries on the balances at providers, those that do not fit the books, and the payouts. The address holds the view. */
export function Settlements() {
  const { search } = useRoute();
  const given = search.get('show');
  const view = VIEWS.find((each) => each === given) ?? 'entries';
  const sources = useRead('sources', readSources);
  useRefresh(sources.reload, { concerns, isMoving: false });
  return (
    <>
      <PageHead title={settlements.title} />
      <Sources sources={sources.data ?? []} />
      <div className="toolbar">
        <Segments
          label={settlements.filter}
          value={view}
          options={VIEWS.map((each) => [each, settlements.views[each]])}
          onChange={show}
        />
      </div>
      {view === 'entries' && <Entries filters={filtersIn(search)} sources={sources} />}
      {view === 'differences' && <Differences isExplained={false} />}
      {view === 'explained' && <Differences isExplained />}
      {view === 'payouts' && <Payouts sources={sources} />}
    </>
  );
}

const show = (view: View): void =>
  go(view === 'entries' ? 'settlements' : `settlements?show=${view}`, { replace: true });

const filtersIn = (search: URLSearchParams): Filters => ({
  kind: search.get('kind') ?? '',
  from: search.get('from') ?? '',
  until: search.get('until') ?? '',
  payout: search.get('payout') ?? '',
});

/** Entries that fit have no event of their own. They come with the payout of their day. */
const concerns = (events: readonly FeedEvent[]): boolean =>
  events.length === 0 ||
  events.some(({ target }) => target.type === 'settlement' || target.type === 'payout');

type SourcesRead = { readonly sources: Read<readonly Source[]> };

function Entries({ filters, sources }: SourcesRead & { readonly filters: Filters }) {
  const list = usePages(JSON.stringify(filters), (after, signal) => readEntries(filters, after, signal));
  useRefresh(list.reload, { concerns, isMoving: false });
  const isFiltered = Object.values(filters).some((value) => value !== '');
  return (
    <>
      <EntryFilters filters={filters} />
      <Table
        label={settlements.views.entries}
        columns={ENTRIES}
        list={list}
        to={({ id }) => `settlements/${id}`}
        empty={<NoEntries isFiltered={isFiltered} sources={sources.data} />}
      />
      {list.data && <Sums rows={list.data.rows} hasMore={list.data.hasMore} />}
    </>
  );
}

function Differences({ isExplained }: { readonly isExplained: boolean }) {
  const list = usePages(`differences ${isExplained}`, (after, signal) =>
    readDifferences(isExplained, after, signal),
  );
  useRefresh(list.reload, { concerns, isMoving: false });
  return (
    <Table
      label={settlements.views[isExplained ? 'explained' : 'differences']}
      columns={DIFFERENCES}
      list={list}
      to={({ id }) => `settlements/${id}`}
      empty={<NoDifferences isExplained={isExplained} />}
    />
  );
}

function Payouts({ sources }: SourcesRead) {
  const list = usePages('payouts', readPayouts);
  useRefresh(list.reload, { concerns, isMoving: false });
  return (
    <Table
      label={settlements.views.payouts}
      columns={PAYOUTS}
      list={list}
      to={({ id, paymentServicePayoutId: payout }) =>
        payout === null ? `settlements/${id}` : `settlements?${new URLSearchParams({ payout })}`
      }
      empty={<NoEntries isFiltered={false} sources={sources.data} title={settlements.empty.payouts} />}
    />
  );
}
