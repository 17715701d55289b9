import { mayChangePayments } from '../../app/data/live.tsx';
import { usePages } from '../../app/data/pages.ts';
import { useRead } from '../../app/data/read.ts';
import { useRefresh } from '../../app/data/refresh.ts';
import { go, Link, useRoute, withSearch } from '../../app/route.tsx';
import { useMay } from '../../app/session-context.tsx';
import { Button } from '../../design/button.tsx';
import { binder, optionsOf, SelectField } from '../../design/form/field.tsx';
import { Segments } from '../../design/form/segments.tsx';
import { NothingWaits } from '../../design/list/cases.tsx';
import { columnsOf } from '../../design/list/columns.ts';
import { ListPage, Toolbar } from '../../design/list/list-page.tsx';
import { Empty } from '../../design/pieces.tsx';
import { texts } from '../../texts/texts.ts';
import {
  AGES,
  KINDS,
  readDifferences,
  readServices,
  SHOWN,
  SOURCES,
  type DifferenceRow,
  type Filters,
  type Shown,
} from './query.ts';
import { Age, State } from './state.tsx';
import { ledgerOf, paymentOf, reportOf } from './words.ts';

const { differences, payment } = texts;
const { any, empty, field } = differences;

const COLUMNS = columnsOf<DifferenceRow>(differences.column, {
  finding: { track: [124, 1.2], place: 'title', show: (row) => differences.finding[row.finding].short },
  state: { track: [112, 0.5], place: 'state', show: ({ state }) => <State of={state} /> },
  provider: {
    ...{ track: [112, 1.6], place: 'note' },
    show: (row) => (
      <>
        {row.source === 'SETTLEMENT' ? `${differences.source.SETTLEMENT}: ${reportOf(row)}` : reportOf(row)}
        <span className="row-more"> · {ledgerOf(row)}</span>
      </>
    ),
  },
  ledger: { track: [112, 1.5], show: ledgerOf },
  payment: {
    track: [84, 0.7],
    show: (row) => (
      <Link className="grid-over" to={`payments/${row.transaction.id}`}>
        {paymentOf(row)}
      </Link>
    ),
  },
  since: { track: [92, 0.5], place: 'time', show: ({ foundAt }) => <Age at={foundAt} /> },
});

const NAMES = Object.keys(SHOWN) as readonly Shown[];

/** A difference has no event of its own, so the list also reads at this interval. */
const EVERY_MS = 15_000;

/** The differences between payments and their providers, the open ones first. The address holds the filters. */
export function Differences() {
  const filters = filtersIn(useRoute().search);
  const list = usePages(JSON.stringify(filters), (ask) => readDifferences(filters, ask));
  useRefresh(list.reload, mayChangePayments, { isMoving: true, everyMs: EVERY_MS });
  const bind = binder(filters, show);
  return (
    <ListPage
      title={differences.title}
      list={list}
      columns={COLUMNS}
      to={({ id }) => `differences/${id}`}
      empty={<Nothing filters={filters} />}
    >
      <p className="page-note">{differences.text}</p>
      <Toolbar>
        <Segments
          {...bind('shown')}
          label={differences.filter}
          options={optionsOf(differences.filters, NAMES)}
        />
      </Toolbar>
      <div className="filter-fields four">
        <SelectField
          {...bind('source')}
          label={field.source}
          options={[['', any.source], ...optionsOf<string>(differences.source, SOURCES)]}
        />
        <SelectField
          {...bind('kind')}
          label={field.kind}
          options={[['', any.kind], ...optionsOf<string>(payment.timeline.kind, KINDS)]}
        />
        {useMay('payment-services.read') && <ServiceField {...bind('service')} />}
        <SelectField
          {...bind('age')}
          label={field.age}
          options={[['', any.age], ...optionsOf<string>(differences.age, Object.keys(AGES))]}
        />
      </div>
    </ListPage>
  );
}

type ServiceProps = { readonly value: string; readonly onChange: (value: string) => void };

function ServiceField(props: ServiceProps) {
  const { data } = useRead('services', readServices);
  const options = (data ?? []).map(({ id, displayName }) => [id, displayName] as const);
  return <SelectField {...props} label={field.service} options={[['', any.service], ...options]} />;
}

function filtersIn(search: URLSearchParams): Filters {
  const given = search.get('show');
  const of = (name: string): string => search.get(name) ?? '';
  return {
    shown: NAMES.find((each) => each === given) ?? 'open',
    ...{ source: of('source'), kind: of('kind'), service: of('service'), age: of('age') },
  };
}

const show = ({ shown, ...filters }: Filters): void =>
  go(withSearch('differences', { show: shown === 'open' ? '' : shown, ...filters }), { replace: true });

function Nothing({ filters: { shown, ...others } }: { readonly filters: Filters }) {
  if (Object.values(others).every((value) => value === ''))
    return (
      <NothingWaits title={empty[shown]} words={empty} guide="docs/concepts/made-elsewhere#differences" />
    );
  const clear = (): void => show({ shown, source: '', kind: '', service: '', age: '' });
  return (
    <Empty
      icon="search"
      title={empty.filtered}
      actions={<Button onPress={clear}>{texts.action.clearAll}</Button>}
    />
  );
}
