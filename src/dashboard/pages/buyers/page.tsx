import { usePages } from '../../app/pages.ts';
import { isAbout, useRefresh } from '../../app/refresh.ts';
import { go, useRoute } from '../../app/route.tsx';
import { addressOf } from '../../app/session.ts';
import { PageHead } from '../../app/shell.tsx';
import { Empty } from '../../design/pieces.tsx';
import { Search } from '../../design/search.tsx';
import { Table, type Column } from '../../design/table.tsx';
import { Moment } from '../../design/value.tsx';
import { texts } from '../../texts/texts.ts';
import { nameOf } from './name.ts';
import { readBuyers, type Row } from './query.ts';

const { buyers } = texts;

const COLUMNS: readonly Column<Row>[] = [
  {
    name: 'name',
    label: buyers.column.name,
    track: 'minmax(140px, 1.3fr)',
    place: 'title',
    show: nameOf,
  },
  {
    name: 'email',
    label: buyers.column.email,
    track: 'minmax(160px, 1.6fr)',
    place: 'note',
    show: (row) => row.billingDetails?.emailAddress,
  },
  {
    name: 'reference',
    label: buyers.column.reference,
    track: 'minmax(110px, 1fr)',
    show: (row) => row.externalIdentifier,
  },
  {
    name: 'created',
    label: buyers.column.created,
    track: 'minmax(110px, 0.7fr)',
    place: 'time',
    show: (row) => <Moment at={row.createdAt} />,
  },
];

/** The stored buyers of the merchant account. The address holds the search. */
export function Buyers() {
  const search = useRoute().search.get('q') ?? '';
  const list = usePages(`buyers ${search}`, (after, signal) => readBuyers(search, after, signal));
  useRefresh(list.reload, { concerns: isAbout('buyer'), isMoving: false });
  const change = (q: string): void =>
    go(q === '' ? 'buyers' : `buyers?${new URLSearchParams({ q })}`, { replace: true });
  return (
    <>
      <PageHead title={buyers.title} />
      <div className="toolbar">
        <Search label={buyers.search} short={buyers.searchShort} value={search} onChange={change} />
      </div>
      <Table
        label={buyers.title}
        columns={COLUMNS}
        list={list}
        to={({ id }) => `buyers/${id}`}
        empty={<NoBuyers isFiltered={search !== ''} />}
      />
    </>
  );
}

function NoBuyers({ isFiltered }: { readonly isFiltered: boolean }) {
  const { empty } = buyers;
  if (isFiltered)
    return (
      <Empty icon="search" title={empty.filteredTitle}>
        {empty.filteredText}
      </Empty>
    );
  return (
    <Empty
      icon="person"
      title={empty.title}
      actions={
        <a className="button" href={addressOf('docs/guides/cards')}>
          {empty.guide}
        </a>
      }
    >
      {empty.text}
    </Empty>
  );
}
