import { useState } from 'react';
import type { PaymentLinkStatus } from '../../../client/generated/schema.ts';
import { api } from '../../app/data/api.ts';
import { pageOf, rowsOf, useList, type Ask, type RowOf } from '../../app/data/pages.ts';
import { isAbout } from '../../app/data/refresh.ts';
import { optionsOf } from '../../design/form/field.tsx';
import { Segments } from '../../design/form/segments.tsx';
import { columnsOf } from '../../design/list/columns.ts';
import { ListPage, Toolbar, useCreation } from '../../design/list/list-page.tsx';
import { Empty } from '../../design/pieces.tsx';
import { Amount, Moment } from '../../design/value.tsx';
import { texts } from '../../texts/texts.ts';
import { CreateDialog } from './create-dialog.tsx';
import { LinkState } from './query.ts';

const { links } = texts;

/** The links that a person can choose. */
const FILTERS = {
  ...{ all: null, open: ['ACTIVE', 'PROCESSING'], paid: ['COMPLETED'], expired: ['EXPIRED'] },
} as const satisfies Record<string, readonly PaymentLinkStatus[] | null>;

type Filter = keyof typeof FILTERS;

const ROW = {
  ...{ id: true, status: true, amount: true, currency: true, externalIdentifier: true },
  ...{ expiresAt: true, createdAt: true },
} as const;

/** Reads a page of the links, newest first. */
async function readLinks(filter: Filter, { after, signal }: Ask) {
  const wanted = { first: 50, after, sort: 'CREATED_AT_DESC', filter: { status: FILTERS[filter] } } as const;
  const { paymentLinks } = await api.query({ paymentLinks: [wanted, pageOf(ROW)] }, { signal });
  return rowsOf(paymentLinks);
}

const COLUMNS = columnsOf<RowOf<typeof readLinks>>(links.column, {
  amount: { track: [120, 1], place: 'title', show: (row) => <Amount {...row} /> },
  status: { track: [110, 0.8], place: 'state', show: ({ status }) => <LinkState of={status} /> },
  reference: { track: [140, 1.6], place: 'note', show: (row) => row.externalIdentifier },
  expires: { track: [110, 0.8], show: (row) => row.status === 'ACTIVE' && <Moment at={row.expiresAt} /> },
  created: { track: [110, 0.8], place: 'time', show: (row) => <Moment at={row.createdAt} /> },
});

/** The payment links of the merchant account, newest first. */
export function Links() {
  const [filter, setFilter] = useState<Filter>('all');
  const list = useList(`links ${filter}`, (ask) => readLinks(filter, ask), isAbout('payment-link'));
  const { add, creating } = useCreation('payment-links.write', links.create, (onClose) => (
    <CreateDialog onClose={onClose} />
  ));
  const { empty } = links;
  return (
    <ListPage
      title={links.title}
      actions={add}
      list={list}
      columns={COLUMNS}
      to={({ id }) => `links/${id}`}
      empty={
        filter === 'all' ? (
          <Empty
            icon="link"
            title={empty.title}
            actions={add}
            guide={['docs/guides/payment-links', empty.guide]}
          >
            {empty.text}
          </Empty>
        ) : (
          <Empty icon="link" title={empty.filteredTitle} />
        )
      }
    >
      <Toolbar>
        <Segments
          label={links.filter}
          value={filter}
          options={optionsOf(links.filters, Object.keys(FILTERS) as Filter[])}
          onChange={setFilter}
        />
      </Toolbar>
      {creating}
    </ListPage>
  );
}
