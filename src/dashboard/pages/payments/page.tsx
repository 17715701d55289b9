import { useState } from 'react';
import { PageHead } from '../../app/frame/shell.tsx';
import { go, useRoute } from '../../app/route.tsx';
import { useMay } from '../../app/session-context.tsx';
import { Button } from '../../design/button.tsx';
import { Toolbar } from '../../design/list/list-page.tsx';
import { Search } from '../../design/list/search.tsx';
import { Empty } from '../../design/pieces.tsx';
import { Problem } from '../../design/problem.tsx';
import { texts } from '../../texts/texts.ts';
import { ColumnsMenu } from './columns-menu.tsx';
import { keepColumns, readColumns, type ColumnName } from './columns.tsx';
import { ExportDialog } from './export-dialog.tsx';
import { FilterBar } from './filters/filter-bar.tsx';
import { addressOf, NO_FILTERS, readFilters, toApi, type Filters } from './filters/filters.ts';
import { Grid } from './grid.tsx';
import { usePaymentList } from './list.ts';
import { ViewsMenu } from './views/views-menu.tsx';

/** The list of payments, with search, filters and columns. The address holds the search and the filters. */
export function Payments() {
  const filters = readFilters(useRoute().search);
  const [columns, setColumns] = useState(readColumns);
  const [isExporting, setExporting] = useState(false);
  const [mayReadBuyers, mayExport] = [useMay('buyers.read'), useMay('exports.write')];
  const list = usePaymentList({ filter: toApi(filters), withBuyer: mayReadBuyers });
  const change = (next: Filters): void => go(addressOf(next), { replace: true });
  const chooseColumns = (chosen: readonly ColumnName[]): void => {
    keepColumns(chosen);
    setColumns(readColumns());
  };
  const isEmpty = list.page?.rows.length === 0 && !list.isStale;
  return (
    <>
      <PageHead title={texts.payments.title}>
        {mayExport && (
          <Button icon="download" onPress={() => setExporting(true)}>
            {texts.payments.export.open}
          </Button>
        )}
      </PageHead>
      <Toolbar>
        {mayReadBuyers && (
          <Search
            label={texts.payments.search}
            short={texts.payments.searchShort}
            value={filters.q}
            onChange={(q) => change({ ...filters, q })}
          />
        )}
        <ViewsMenu
          filters={filters}
          columns={columns}
          onChoose={(view) => {
            if (view.columns) chooseColumns(view.columns);
            change(view.filters);
          }}
        />
        <ColumnsMenu columns={columns} onChange={chooseColumns} />
        <FilterBar filters={filters} onChange={change} />
      </Toolbar>
      {list.error !== null && <Problem error={list.error} onRetry={list.retry} />}
      {isEmpty ? <NoPayments filters={filters} onClear={change} /> : <Grid list={list} columns={columns} />}
      {list.page && !list.page.hasMore && !isEmpty && (
        <p className="list-end">{texts.payments.end(list.page.rows.length)}</p>
      )}
      {isExporting && <ExportDialog filters={filters} onClose={() => setExporting(false)} />}
    </>
  );
}

type NoPaymentsProps = { readonly filters: Filters; readonly onClear: (filters: Filters) => void };

function NoPayments({ filters, onClear }: NoPaymentsProps) {
  const { empty } = texts.payments;
  if (Object.values(filters).every((value) => value === ''))
    return (
      <Empty icon="payments" title={empty.title} guide={['docs/quickstart', empty.guide]}>
        {empty.text}
      </Empty>
    );
  return (
    <Empty
      icon="search"
      title={empty.filteredTitle}
      actions={<Button onPress={() => onClear(NO_FILTERS)}>{texts.action.clearAll}</Button>}
    >
      {empty.filteredText}
    </Empty>
  );
}
