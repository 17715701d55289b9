import { useState, type ReactNode } from 'react';
import { usePages } from '../../app/pages.ts';
import { isAbout, useRefresh } from '../../app/refresh.ts';
import { go } from '../../app/route.tsx';
import { useMay } from '../../app/session-context.tsx';
import { addressOf } from '../../app/session.ts';
import { PageHead } from '../../app/shell.tsx';
import { Button } from '../../design/button.tsx';
import { Empty } from '../../design/pieces.tsx';
import { Segments } from '../../design/segments.tsx';
import { Table, type Column } from '../../design/table.tsx';
import { useToast } from '../../design/toast.tsx';
import { Amount, Moment } from '../../design/value.tsx';
import { texts } from '../../texts/texts.ts';
import { CreateDialog } from './create-dialog.tsx';
import { FILTERS, readLinks, type Filter, type Row } from './query.ts';
import { LinkState } from './state.tsx';

const { links } = texts;

const COLUMNS: readonly Column<Row>[] = [
  {
    name: 'amount',
    label: links.column.amount,
    track: 'minmax(120px, 1fr)',
    place: 'title',
    show: (row) => <Amount {...row} />,
  },
  {
    name: 'status',
    label: links.column.status,
    track: 'minmax(110px, 0.8fr)',
    place: 'state',
    show: ({ status }) => <LinkState status={status} />,
  },
  {
    name: 'reference',
    label: links.column.reference,
    track: 'minmax(140px, 1.6fr)',
    place: 'note',
    show: (row) => row.externalIdentifier,
  },
  {
    name: 'expires',
    label: links.column.expires,
    track: 'minmax(110px, 0.8fr)',
    show: (row) => row.status === 'ACTIVE' && <Moment at={row.expiresAt} />,
  },
  {
    name: 'created',
    label: links.column.created,
    track: 'minmax(110px, 0.8fr)',
    place: 'time',
    show: (row) => <Moment at={row.createdAt} />,
  },
];

/** The payment links of the merchant account, newest first. */
export function Links() {
  const [filter, setFilter] = useState<Filter>('all');
  const list = usePages(`links ${filter}`, (after, signal) => readLinks(filter, after, signal));
  const mayWrite = useMay('payment-links.write');
  const [isCreating, setCreating] = useState(false);
  const toast = useToast();
  useRefresh(list.reload, { concerns: isAbout('payment-link'), isMoving: false });
  const create = mayWrite && (
    <Button icon="plus" look="primary" onPress={() => setCreating(true)}>
      {links.create}
    </Button>
  );
  const finish = (id: string): void => {
    toast('good', links.created);
    go(`links/${id}`);
  };
  return (
    <>
      <PageHead title={links.title}>{create}</PageHead>
      <div className="toolbar">
        <Segments
          label={links.filter}
          value={filter}
          options={(Object.keys(FILTERS) as readonly Filter[]).map((each) => [each, links.filters[each]])}
          onChange={setFilter}
        />
      </div>
      <Table
        label={links.title}
        columns={COLUMNS}
        list={list}
        to={({ id }) => `links/${id}`}
        empty={<NoLinks isFiltered={filter !== 'all'} create={create} />}
      />
      {isCreating && <CreateDialog onClose={() => setCreating(false)} onCreated={finish} />}
    </>
  );
}

type NoLinksProps = { readonly isFiltered: boolean; readonly create: ReactNode };

function NoLinks({ isFiltered, create }: NoLinksProps) {
  if (isFiltered) return <Empty icon="link" title={links.empty.filteredTitle} />;
  return (
    <Empty
      icon="link"
      title={links.empty.title}
      actions={
        <>
          {create}
          <a className="button" href={addressOf('docs/guides/payment-links')}>
            {links.empty.guide}
          </a>
        </>
      }
    >
      {links.empty.text}
    </Empty>
  );
}
