import { useList } from '../../app/data/pages.ts';
import { isAbout } from '../../app/data/refresh.ts';
import { columnsOf } from '../../design/list/columns.ts';
import { ListPage, useCreation } from '../../design/list/list-page.tsx';
import { Empty } from '../../design/pieces.tsx';
import { Moment } from '../../design/value.tsx';
import { texts } from '../../texts/texts.ts';
import { CreateDialog } from './endpoint/endpoint-dialogs.tsx';
import { readEndpoints, type Endpoint } from './endpoint/endpoint.ts';
import { EndpointState, eventsOf } from './state.ts';

const { webhooks } = texts;

const COLUMNS = columnsOf<Endpoint>(webhooks.column, {
  url: { track: [200, 2.4], place: 'title', show: (row) => row.url },
  state: { track: [110, 0.7], place: 'state', show: (row) => <EndpointState of={row.state} /> },
  events: { track: [140, 1.3], place: 'note', show: (row) => eventsOf(row.eventNames) },
  description: { track: [110, 1.1], show: (row) => row.description },
  created: { track: [110, 0.7], place: 'time', show: (row) => <Moment at={row.createdAt} /> },
});

/** The webhook endpoints of the merchant account. */
export function Webhooks() {
  const list = useList('webhooks', readEndpoints, isAbout('webhook-endpoint'));
  const { add, creating } = useCreation('webhook-subscriptions.write', webhooks.add, (onClose) => (
    <CreateDialog onClose={onClose} />
  ));
  const { empty } = webhooks;
  return (
    <ListPage
      title={webhooks.title}
      actions={add}
      list={list}
      columns={COLUMNS}
      to={({ id }) => `webhooks/${id}`}
      empty={
        <Empty icon="webhook" title={empty.title} actions={add} guide={['docs/guides/webhooks', empty.guide]}>
          {empty.text}
        </Empty>
      }
    >
      {creating}
    </ListPage>
  );
}
