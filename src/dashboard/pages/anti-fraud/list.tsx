import { useList } from '../../app/data/pages.ts';
import { isAbout } from '../../app/data/refresh.ts';
import { PageHead } from '../../app/frame/shell.tsx';
import { useMay } from '../../app/session-context.tsx';
import { columnsOf } from '../../design/list/columns.ts';
import { useCreation } from '../../design/list/list-page.tsx';
import { Table } from '../../design/list/table.tsx';
import { Empty } from '../../design/pieces.tsx';
import { Moment } from '../../design/value.tsx';
import { texts } from '../../texts/texts.ts';
import { CreateDialog } from '../connection/dialogs.tsx';
import { createService, newValues, SERVICE_KIND } from './form.tsx';
import { HeldPayments } from './held.tsx';
import { readDefinitions, readServices, type Row } from './query.ts';
import { isSandbox, SandboxDecisions } from './sandbox.tsx';
import { providerOf, ServiceState } from './state.tsx';

const { antiFraud: words, services } = texts;

const COLUMNS = columnsOf<Row>(words.column, {
  name: { label: services.form.name, track: [180, 1.4], place: 'title', show: (row) => row.displayName },
  state: { track: [100, 0.6], place: 'state', show: (row) => <ServiceState {...row} /> },
  provider: { label: services.form.definition, track: [180, 1.4], place: 'note', show: providerOf },
  created: {
    ...{ label: services.details.created, track: [110, 0.7], place: 'time' },
    show: (row) => <Moment at={row.createdAt} />,
  },
});

/** The anti-fraud services of the merchant account, the payments that they hold, and the decisions of the sandbox. */
export function AntiFraud() {
  const list = useList('anti-fraud', readServices, isAbout('anti-fraud-service'));
  const mayReadPayments = useMay('transactions.read');
  const rows = list.data?.rows ?? [];
  const hasActive = rows.some(({ active }) => active);
  const { add, creating } = useCreation('anti-fraud-services.write', services.add, (onClose) => (
    <CreateDialog
      {...SERVICE_KIND}
      readDefinitions={readDefinitions}
      nameOf={({ displayName }) => displayName}
      path="antiFraudServiceDefinitionId"
      first={(all) => all.find(({ id }) => isSandbox({ antiFraudServiceDefinitionId: id }))}
      newValues={(definition) => newValues(definition, hasActive)}
      create={createService}
      said={words.created}
      list="anti-fraud"
      nothing={words.form.noDefinition}
      onClose={onClose}
    />
  ));
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
            empty={
              <Empty
                icon="fraud"
                title={words.empty.title}
                actions={add}
                guide={['docs/guides/anti-fraud', words.empty.guide]}
              >
                {words.empty.text}
              </Empty>
            }
          />
        </div>
        {rows.length > 0 && mayReadPayments && <HeldPayments />}
        {rows.some(isSandbox) && <SandboxDecisions />}
      </div>
      {creating}
    </>
  );
}
