import { useList } from '../../app/data/pages.ts';
import { useRead } from '../../app/data/read.ts';
import { isAbout, useRefresh } from '../../app/data/refresh.ts';
import { PageHead } from '../../app/frame/shell.tsx';
import { go, useRoute, useShown, withSearch } from '../../app/route.tsx';
import { Button } from '../../design/button.tsx';
import { binder, optionsOf, SelectField, TextField } from '../../design/form/field.tsx';
import { Segments } from '../../design/form/segments.tsx';
import { Icon } from '../../design/icon.tsx';
import { Toolbar } from '../../design/list/list-page.tsx';
import { Table } from '../../design/list/table.tsx';
import { Empty } from '../../design/pieces.tsx';
import { Moment } from '../../design/value.tsx';
import { texts } from '../../texts/texts.ts';
import { DIFFERENCES, ENTRIES, PAYOUTS } from './columns.tsx';
import {
  KINDS,
  readDifferences,
  readEntries,
  readPayouts,
  readSources,
  type Filters,
  type Source,
} from './query.ts';
import { Sums } from './sums.tsx';

const { settlements } = texts;
const { empty, source } = settlements;

const VIEWS = ['entries', 'differences', 'explained', 'payouts'] as const;

/** The entries on the balances at providers, those that do not fit the books, and the payouts. The address holds the view. */
export function Settlements() {
  const { search } = useRoute();
  const [view, show] = useShown('settlements', VIEWS, 'entries');
  const { data: sources, reload } = useRead('sources', readSources);
  useRefresh(reload, concerns);
  return (
    <>
      <PageHead title={settlements.title} />
      <Sources sources={sources ?? []} />
      <Toolbar>
        <Segments
          label={settlements.filter}
          value={view}
          options={optionsOf(settlements.views, VIEWS)}
          onChange={show}
        />
      </Toolbar>
      {view === 'entries' && <Entries filters={filtersIn(search)} sources={sources} />}
      {(view === 'differences' || view === 'explained') && <Differences view={view} />}
      {view === 'payouts' && <Payouts sources={sources} />}
    </>
  );
}

const filtersIn = (search: URLSearchParams): Filters => ({
  kind: search.get('kind') ?? '',
  from: search.get('from') ?? '',
  until: search.get('until') ?? '',
  payout: search.get('payout') ?? '',
});

/** Entries that fit have no event of their own. They come with the payout of their day. */
const concerns = isAbout('settlement', 'payout');

/** The sources are null before the answer. */
type SourcesRead = { readonly sources: readonly Source[] | null };

function Entries({ filters, sources }: SourcesRead & { readonly filters: Filters }) {
  const list = useList(JSON.stringify(filters), (ask) => readEntries(filters, ask), concerns);
  const isFiltered = Object.values(filters).some((value) => value !== '');
  return (
    <>
      <EntryFilters filters={filters} />
      <Table
        label={settlements.views.entries}
        columns={ENTRIES}
        list={list}
        to={({ id }) => `settlements/${id}`}
        empty={isFiltered ? sources && <NoMatch /> : <NoEntries sources={sources} title={empty.title} />}
      />
      {list.data && <Sums rows={list.data.rows} hasMore={list.data.hasMore} />}
    </>
  );
}

function Differences({ view }: { readonly view: 'differences' | 'explained' }) {
  const isExplained = view === 'explained';
  const list = useList(view, (ask) => readDifferences(isExplained, ask), concerns);
  return (
    <Table
      label={settlements.views[view]}
      columns={DIFFERENCES}
      list={list}
      to={({ id }) => `settlements/${id}`}
      empty={
        <Empty icon={isExplained ? 'settlement' : 'shield'} title={empty[view]}>
          {empty[`${view}Text`]}
        </Empty>
      }
    />
  );
}

function Payouts({ sources }: SourcesRead) {
  return (
    <Table
      label={settlements.views.payouts}
      columns={PAYOUTS}
      list={useList('payouts', readPayouts, concerns)}
      to={({ id, paymentServicePayoutId: payout }) =>
        payout === null ? `settlements/${id}` : withSearch('settlements', { payout })
      }
      empty={<NoEntries sources={sources} title={empty.payouts} />}
    />
  );
}

/** Filters the entries by kind and by day. The entries of one payout have no other filter. */
function EntryFilters({ filters }: { readonly filters: Filters }) {
  const bind = binder(filters, (next) => go(withSearch('settlements', next), { replace: true }));
  if (filters.payout === '')
    return (
      <div className="filter-fields">
        <SelectField
          {...bind('kind')}
          label={settlements.column.kind}
          options={[['', settlements.allKinds], ...optionsOf<string>(settlements.kind, KINDS)]}
        />
        <TextField {...bind('from')} label={settlements.from} type="date" />
        <TextField {...bind('until')} label={settlements.until} type="date" />
      </div>
    );
  return (
    <div className="payout-note">
      <p>
        {settlements.ofPayout} <span className="mono">{filters.payout}</span>
      </p>
      <Button icon="close" onPress={() => go('settlements')}>
        {settlements.allEntries}
      </Button>
    </div>
  );
}

/** Says when the latest report was read, and which payment service has a failure. */
function Sources({ sources }: { readonly sources: readonly Source[] }) {
  const times = sources.flatMap(({ settlementReporting }) => settlementReporting?.fetchedAt ?? []);
  const latest = times.toSorted().at(-1);
  return (
    <>
      {latest !== undefined && (
        <p className="page-note">
          {source.latest} <Moment at={latest} />
        </p>
      )}
      {sources.map(({ id, displayName, settlementReporting: state }) =>
        state && state.failure !== null ? (
          <div key={id} className="problem source-problem" role="alert">
            <Icon name="warning" />
            <p>
              {source.failure[state.failure](displayName)}
              {state.failureReason !== null && <small>{state.failureReason}</small>}
            </p>
          </div>
        ) : null,
      )}
    </>
  );
}

const NoMatch = () => (
  <Empty
    icon="search"
    title={empty.filtered}
    actions={<Button onPress={() => go('settlements', { replace: true })}>{texts.action.clearAll}</Button>}
  />
);

/** Stands in for a list without entries, and says whether Paygraph reads any reports. */
function NoEntries({ sources, title }: SourcesRead & { readonly title: string }) {
  const isOff = sources?.length === 0;
  return (
    sources && (
      <Empty
        icon="settlement"
        title={isOff ? empty.off : title}
        guide={['docs/guides/settlements', empty.guide]}
      >
        {isOff ? empty.offText : empty.text}
      </Empty>
    )
  );
}
