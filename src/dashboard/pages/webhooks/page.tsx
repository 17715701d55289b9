import { useState } from 'react';
import { usePages } from '../../app/pages.ts';
import { isAbout, useRefresh } from '../../app/refresh.ts';
import { go } from '../../app/route.tsx';
import { useMay } from '../../app/session-context.tsx';
import { addressOf } from '../../app/session.ts';
import { PageHead } from '../../app/shell.tsx';
import { Button } from '../../design/button.tsx';
import { Empty } from '../../design/pieces.tsx';
import { Table, type Column } from '../../design/table.tsx';
import { Moment } from '../../design/value.tsx';
import { texts } from '../../texts/texts.ts';
import { CreateDialog } from './create-dialog.tsx';
import { readEndpoints, type Created, type Endpoint } from './query.ts';
import { SecretDialog } from './secret-dialog.tsx';
import { EndpointState, eventsOf } from './state.tsx';

const { webhooks } = texts;

const COLUMNS: readonly Column<Endpoint>[] = [
  {
    name: 'url',
    label: webhooks.column.url,
    track: 'minmax(200px, 2.4fr)',
    place: 'title',
    show: (row) => row.url,
  },
  {
    name: 'state',
    label: webhooks.column.state,
    track: 'minmax(110px, 0.7fr)',
    place: 'state',
    show: (row) => <EndpointState state={row.state} />,
  },
  {
    name: 'events',
    label: webhooks.column.events,
    track: 'minmax(140px, 1.3fr)',
    place: 'note',
    show: (row) => eventsOf(row.eventNames),
  },
  {
    name: 'description',
    label: webhooks.column.description,
    track: 'minmax(110px, 1.1fr)',
    show: (row) => row.description,
  },
  {
    name: 'created',
    label: webhooks.column.created,
    track: 'minmax(110px, 0.7fr)',
    place: 'time',
    show: (row) => <Moment at={row.createdAt} />,
  },
];

/** The webhook endpoints of the merchant account. */
export function Webhooks() {
  const list = usePages('webhooks', readEndpoints);
  const mayWrite = useMay('webhook-subscriptions.write');
  const [isCreating, setCreating] = useState(false);
  const [created, setCreated] = useState<Created | null>(null);
  useRefresh(list.reload, { concerns: isAbout('webhook-endpoint'), isMoving: false });
  const add = mayWrite && (
    <Button icon="plus" look="primary" onPress={() => setCreating(true)}>
      {webhooks.add}
    </Button>
  );
  return (
    <>
      <PageHead title={webhooks.title}>{add}</PageHead>
      <Table
        label={webhooks.title}
        columns={COLUMNS}
        list={list}
        to={({ id }) => `webhooks/${id}`}
        empty={<NoEndpoints add={add} />}
      />
      {isCreating && <CreateDialog onClose={() => setCreating(false)} onCreated={setCreated} />}
      {created && <SecretDialog secret={created.secret} onClose={() => go(`webhooks/${created.id}`)} />}
    </>
  );
}

const NoEndpoints = ({ add }: { readonly add: React.ReactNode }) => (
  <Empty
    icon="webhook"
    title={webhooks.empty.title}
    actions={
      <>
        {add}
        <a className="button" href={addressOf('docs/guides/webhooks')}>
          {webhooks.empty.guide}
        </a>
      </>
    }
  >
    {webhooks.empty.text}
  </Empty>
);
