import { useState, type ReactNode } from 'react';
import { mayChangePayments } from '../../app/live.tsx';
import { useRead } from '../../app/read.ts';
import { useRefresh } from '../../app/refresh.ts';
import { go } from '../../app/route.tsx';
import { useRowKeys } from '../../app/row-keys.ts';
import { useMay } from '../../app/session-context.tsx';
import { addressOf } from '../../app/session.ts';
import { PageHead } from '../../app/shell.tsx';
import { Button } from '../../design/button.tsx';
import { CardBones, Empty } from '../../design/pieces.tsx';
import { Problem } from '../../design/problem.tsx';
import { useToast } from '../../design/toast.tsx';
import { texts } from '../../texts/texts.ts';
import { ExplainDialog } from '../routing/explain-dialog.tsx';
import { CreateDialog } from './create-dialog.tsx';
import { Method } from './list.tsx';
import { methodsOf, readList, type Row } from './query.ts';

const { services: words } = texts;

/** The connections to payment providers, by method and in the order in which routing asks them. */
export function Services() {
  const mayReadPayments = useMay('transactions.read');
  const mayWrite = useMay('payment-services.write');
  const { data, error, isLoading, reload } = useRead('services', (signal) =>
    readList(mayReadPayments, signal),
  );
  const [dialog, setDialog] = useState<'create' | 'explain' | null>(null);
  const close = (): void => setDialog(null);
  const toast = useToast();
  useRefresh(reload, {
    concerns: mayChangePayments,
    isMoving: data?.services.some(({ status }) => status === 'PENDING') ?? false,
  });
  const rows = data?.services ?? [];
  useRowKeys({ rows: listed(rows), open: (id) => go(`services/${id}`), scrollTo: () => undefined });
  const add = mayWrite && (
    <Button icon="plus" look="primary" onPress={() => setDialog('create')}>
      {words.add}
    </Button>
  );
  const explain = mayReadPayments && rows.length > 0 && (
    <Button onPress={() => setDialog('explain')}>{texts.routing.open}</Button>
  );
  const finish = (id: string): void => {
    toast('good', words.created);
    go(`services/${id}`);
  };
  return (
    <>
      <PageHead title={words.title}>
        {explain}
        {add}
      </PageHead>
      {error !== null && <Problem error={error} onRetry={reload} />}
      {!data && isLoading && <CardBones />}
      {data && rows.length === 0 && <NoServices add={add} />}
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
      {dialog === 'create' && <CreateDialog example={rows[0]} onClose={close} onCreated={finish} />}
      {dialog === 'explain' && <ExplainDialog services={rows} onClose={close} />}
    </>
  );
}

/** Lists the services as the page shows them. */
const listed = (rows: readonly Row[]): readonly Row[] =>
  methodsOf(rows).flatMap((method) => rows.filter((each) => each.method === method));

const NoServices = ({ add }: { readonly add: ReactNode }) => (
  <Empty
    icon="plug"
    title={words.empty.title}
    actions={
      <>
        {add}
        <a className="button" href={addressOf('docs/concepts/routing')}>
          {words.empty.guide}
        </a>
      </>
    }
  >
    {words.empty.text}
  </Empty>
);
