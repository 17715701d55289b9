import { api } from '../../app/data/api.ts';
import { pageOf, rowsOf, useList, type Ask, type RowOf } from '../../app/data/pages.ts';
import { isAbout } from '../../app/data/refresh.ts';
import { go, useRoute, withSearch } from '../../app/route.tsx';
import { columnsOf } from '../../design/list/columns.ts';
import { ListPage, Toolbar } from '../../design/list/list-page.tsx';
import { Search } from '../../design/list/search.tsx';
import { Empty } from '../../design/pieces.tsx';
import { Moment } from '../../design/value.tsx';
import { texts } from '../../texts/texts.ts';
import { nameOf } from './name.ts';

const { buyers } = texts;

/** Reads a page of the buyers, newest first. An empty search finds all. */
async function readBuyers(search: string, { after, signal }: Ask) {
  const { buyers: found } = await api.query(
    { buyers: [{ first: 50, after, search: search.trim() || null }, pageOf(ROW)] },
    { signal },
  );
  return rowsOf(found);
}

const ROW = {
  ...{ id: true, displayName: true, externalIdentifier: true, createdAt: true },
  billingDetails: { firstName: true, lastName: true, emailAddress: true },
} as const;

const COLUMNS = columnsOf<RowOf<typeof readBuyers>>(buyers.column, {
  name: { track: [140, 1.3], place: 'title', show: nameOf },
  email: { track: [160, 1.6], place: 'note', show: (row) => row.billingDetails?.emailAddress },
  reference: { track: [110, 1], show: (row) => row.externalIdentifier },
  created: { track: [110, 0.7], place: 'time', show: (row) => <Moment at={row.createdAt} /> },
});

/** The stored buyers of the merchant account. The address holds the search. */
export function Buyers() {
  const q = useRoute().search.get('q') ?? '';
  const list = useList(`buyers ${q}`, (ask) => readBuyers(q, ask), isAbout('buyer'));
  const search = (next: string): void => go(withSearch('buyers', { q: next }), { replace: true });
  return (
    <ListPage
      title={buyers.title}
      list={list}
      columns={COLUMNS}
      to={({ id }) => `buyers/${id}`}
      empty={q === '' ? <NoBuyers /> : <NoMatch />}
    >
      <Toolbar>
        <Search label={buyers.search} short={buyers.searchShort} value={q} onChange={search} />
      </Toolbar>
    </ListPage>
  );
}

const { empty } = buyers;

const NoBuyers = () => (
  <Empty icon="person" title={empty.title} guide={['docs/guides/cards', empty.guide]}>
    {empty.text}
  </Empty>
);

const NoMatch = () => (
  <Empty icon="search" title={empty.filteredTitle}>
    {empty.filteredText}
  </Empty>
);
