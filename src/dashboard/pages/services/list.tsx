import { useState } from 'react';
import { mayChangeServices } from '../../app/data/live.tsx';
import { useRead } from '../../app/data/read.ts';
import { useRefresh } from '../../app/data/refresh.ts';
import { PageHead } from '../../app/frame/shell.tsx';
import { useRowKeys } from '../../app/keys/row-keys.ts';
import { go } from '../../app/route.tsx';
import { useMay } from '../../app/session-context.tsx';
import { Button } from '../../design/button.tsx';
import { useCreation } from '../../design/list/list-page.tsx';
import { CardBones, Empty } from '../../design/pieces.tsx';
import { Problem } from '../../design/problem.tsx';
import { texts } from '../../texts/texts.ts';
import { CreateDialog } from '../connection/dialogs.tsx';
import { ExplainDialog } from '../routing/explain-dialog.tsx';
import { ServiceFields } from './fields.tsx';
import { createService, isReady, newValues } from './form.ts';
import { Method } from './methods.tsx';
import { methodsOf, readDefinitions, readList, type Row } from './query.ts';
import { definitionName } from './words.ts';

const { services: words } = texts;

/** The connections to payment providers, by method and in the order in which routing asks them. */
export function Services() {
  const mayReadPayments = useMay('transactions.read');
  const mayWrite = useMay('payment-services.write');
  const { data, error, isLoading, reload } = useRead('services', (signal) =>
    readList(mayReadPayments, signal),
  );
  const [isExplaining, setExplaining] = useState(false);
  const rows = data?.services ?? [];
  useRefresh(reload, mayChangeServices, { isMoving: rows.some(isMoving) });
  useRowKeys({ rows: listed(rows), open: (id) => go(`services/${id}`), scrollTo: () => undefined });
  const { add, creating } = useCreation('payment-services.write', words.add, (onClose) => (
    <CreateService example={rows[0]} onClose={onClose} />
  ));
  return (
    <>
      <PageHead title={words.title}>
        {mayReadPayments && rows.length > 0 && (
          <Button onPress={() => setExplaining(true)}>{texts.routing.open}</Button>
        )}
        {add}
      </PageHead>
      {error !== null && <Problem error={error} onRetry={reload} />}
      {!data && isLoading && <CardBones />}
      {data && rows.length === 0 && (
        <Empty
          icon="plug"
          title={words.empty.title}
          actions={add}
          guide={['docs/concepts/routing', words.empty.guide]}
        >
          {words.empty.text}
        </Empty>
      )}
      {rows.length > 0 && <p className="page-note">{words.text}</p>}
      <div className="parts">
        {data &&
          methodsOf(rows).map((method) => (
            <Method
              key={method}
              {...{ method, mayWrite }}
              all={rows}
              success={data.success}
              onChanged={reload}
            />
          ))}
      </div>
      {creating}
      {isExplaining && <ExplainDialog services={rows} onClose={() => setExplaining(false)} />}
    </>
  );
}

/** Tells whether the state of a service may change by itself. */
const isMoving = ({ status, circuit }: Row): boolean => status === 'PENDING' || circuit !== null;

/** Lists the services as the page shows them. */
const listed = (rows: readonly Row[]): readonly Row[] =>
  methodsOf(rows).flatMap((method) => rows.filter((each) => each.method === method));

type CreateProps = {
  /** A service whose definition, currencies and countries the form begins with. */
  readonly example: Row | undefined;
  readonly onClose: () => void;
};

/** Connects a provider. Without an example, the form begins with a definition of cards. */
const CreateService = ({ example, onClose }: CreateProps) => (
  <CreateDialog
    {...{ Fields: ServiceFields, isReady, readDefinitions, onClose }}
    nameOf={definitionName}
    path="paymentServiceDefinitionId"
    first={(all) =>
      all.find(({ id }) => id === example?.paymentServiceDefinitionId) ??
      all.find(({ method }) => method === 'card')
    }
    newValues={(definition) => newValues(definition, example)}
    create={createService}
    said={words.created}
    list="services"
  />
);
