import { mayChangePayments } from '../../app/live.tsx';
import { usePages } from '../../app/pages.ts';
import { useRefresh } from '../../app/refresh.ts';
import { go, useRoute } from '../../app/route.tsx';
import { PageHead } from '../../app/shell.tsx';
import { Button } from '../../design/button.tsx';
import { NoCases } from '../../design/cases.tsx';
import { Empty } from '../../design/pieces.tsx';
import { Segments } from '../../design/segments.tsx';
import { Table } from '../../design/table.tsx';
import { texts } from '../../texts/texts.ts';
import { COLUMNS } from './columns.tsx';
import { DifferenceFilters } from './filters.tsx';
import { readDifferences, SHOWN, type Filters, type Shown } from './query.ts';

const { differences } = texts;

const NAMES = Object.keys(SHOWN) as readonly Shown[];

/** The differences between payments and their providers, the open ones first. The address holds the filters. */
export function Differences() {
  const filters = filtersIn(useRoute().search);
  const list = usePages(`differences ${JSON.stringify(filters)}`, (after, signal) =>
    readDifferences(filters, after, signal),
  );
  useRefresh(list.reload, { concerns: mayChangePayments, isMoving: true, everyMs: EVERY_MS });
  const change = (part: Partial<Filters>): void => show({ ...filters, ...part });
  return (
    <>
      <PageHead title={differences.title} />
      <p className="page-note">{differences.text}</p>
      <div className="toolbar">
        <Segments
          label={differences.filter}
          value={filters.shown}
          options={NAMES.map((each) => [each, differences.filters[each]])}
          onChange={(shown) => change({ shown })}
        />
      </div>
      <DifferenceFilters filters={filters} onChange={change} />
      <Table
        label={differences.title}
        columns={COLUMNS}
        list={list}
        to={({ id }) => `differences/${id}`}
        empty={<Nothing filters={filters} />}
      />
    </>
  );
}

/** A difference has no event of its own, so the list also reads at this interval. */
const EVERY_MS = 15_000;

function filtersIn(search: URLSearchParams): Filters {
  const given = search.get('show');
  const of = (name: string): string => search.get(name) ?? '';
  return {
    shown: NAMES.find((each) => each === given) ?? 'open',
    ...{ source: of('source'), kind: of('kind'), service: of('service'), age: of('age') },
  };
}

function show({ shown, ...filters }: Filters): void {
  const given = Object.entries({ show: shown === 'open' ? '' : shown, ...filters });
  const search = new URLSearchParams(given.filter(([, value]) => value !== ''));
  go(search.size === 0 ? 'differences' : `differences?${search}`, { replace: true });
}

function Nothing({ filters }: { readonly filters: Filters }) {
  const { empty } = differences;
  const { shown, ...others } = filters;
  if (Object.values(others).some((value) => value !== ''))
    return (
      <Empty
        icon="search"
        title={empty.filtered}
        actions={<Button onPress={() => show({ ...NO_FILTERS, shown })}>{texts.action.clearAll}</Button>}
      />
    );
  return <NoCases title={empty[shown]} words={empty} guide="docs/concepts/made-elsewhere#differences" />;
}

const NO_FILTERS = { source: '', kind: '', service: '', age: '' } as const;
