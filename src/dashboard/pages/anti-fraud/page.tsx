import { useState, type ReactNode } from 'react';
import { usePages } from '../../app/pages.ts';
import { isAbout, useRefresh } from '../../app/refresh.ts';
import { go } from '../../app/route.tsx';
import { useMay } from '../../app/session-context.tsx';
import { addressOf } from '../../app/session.ts';
import { PageHead } from '../../app/shell.tsx';
import { Button } from '../../design/button.tsx';
import { Empty } from '../../design/pieces.tsx';
import { Table, type Column } from '../../design/table.tsx';
import { useToast } from '../../design/toast.tsx';
import { Moment } from '../../design/value.tsx';
import { texts } from '../../texts/texts.ts';
import { CreateDialog } from './create-dialog.tsx';
import { HeldPayments } from './held.tsx';
import { readServices, type Row } from './query.ts';
import { isSandbox, SandboxDecisions } from './sandbox.tsx';
import { providerOf, ServiceState } from './state.tsx';

const { antiFraud: words, services } = texts;

const COLUMNS: readonly Column<Row>[] = [
  {
    ...{ name: 'name', label: services.form.name, track: 'minmax(180px, 1.4fr)', place: 'title' },
    show: (row) => row.displayName,
  },
  {
    ...{ name: 'state', label: words.column.state, track: 'minmax(100px, 0.6fr)', place: 'state' },
    show: (row) => <ServiceState {...row} />,
  },
  {
    ...{ name: 'provider', label: services.form.definition, track: 'minmax(180px, 1.4fr)', place: 'note' },
    show: providerOf,
  },
  {
    ...{ name: 'created', label: services.details.created, track: 'minmax(110px, 0.7fr)', place: 'time' },
    show: (row) => <Moment at={row.createdAt} />,
  },
];

/** The anti-fraud services of the merchant account, the payments that they hold, and the decisions of the sandbox. */
export function AntiFraud() {
  const list = usePages('anti-fraud', readServices);
  const mayWrite = useMay('anti-fraud-services.write');
  const mayReadPayments = useMay('transactions.read');
  const [isCreating, setCreating] = useState(false);
  const toast = useToast();
  useRefresh(list.reload, { concerns: isAbout('anti-fraud-service'), isMoving: false });
  const rows = list.data?.rows ?? [];
  const add = mayWrite && (
    <Button icon="plus" look="primary" onPress={() => setCreating(true)}>
      {services.add}
    </Button>
  );
  const finish = (id: string): void => {
    toast('good', words.created);
    go(`anti-fraud/${id}`);
  };
  return (
    <>
      <PageHead title={words.title}>{add}</PageHead>
      {rows.length > 0 && <p className="page-note">{words.text}</p>}
      <div className="parts">
        <div>
          <Table
            label={words.services}
            columns={COLUMNS}
            list={list}
            to={({ id }) => `anti-fraud/${id}`}
            empty={<NoServices add={add} />}
          />
        </div>
        {rows.length > 0 && mayReadPayments && <HeldPayments />}
        {rows.some(isSandbox) && <SandboxDecisions />}
      </div>
      {isCreating && (
        <CreateDialog
          hasActive={rows.some(({ active }) => active)}
          onClose={() => setCreating(false)}
          onCreated={finish}
        />
      )}
    </>
  );
}

const NoServices = ({ add }: { readonly add: ReactNode }) => (
  <Empty
    icon="fraud"
    title={words.empty.title}
    actions={
      <>
        {add}
        <a className="button" href={addressOf('docs/guides/anti-fraud')}>
          {words.empty.guide}
        </a>
      </>
    }
  >
    {words.empty.text}
  </Empty>
);
