import { mayChangePayments } from '../../app/data/live.tsx';
import { usePages } from '../../app/data/pages.ts';
import { useRefresh } from '../../app/data/refresh.ts';
import { PageHead } from '../../app/frame/shell.tsx';
import { Link } from '../../app/route.tsx';
import { useMay } from '../../app/session-context.tsx';
import { Cases, NothingWaits } from '../../design/list/cases.tsx';
import { Copy, Pill } from '../../design/pieces.tsx';
import { Moment, writeMoney } from '../../design/value.tsx';
import { texts } from '../../texts/texts.ts';
import { readUnresolved, type Unresolved } from './query.ts';
import { ResolveButton } from './resolve.tsx';
import { SyncButton } from './sync.tsx';

const { unresolved: words } = texts;

/** The operations whose outcome is unknown, each with the next thing to do. */
export function UnresolvedOperations() {
  const list = usePages('unresolved', readUnresolved);
  useRefresh(list.reload, mayChangePayments, { isMoving: (list.data?.rows.length ?? 0) > 0 });
  return (
    <>
      <PageHead title={words.title} />
      <Cases list={list} note={words.text} nothing={<Nothing />}>
        {(operation) => <Case key={operation.id} operation={operation} onChanged={list.reload} />}
      </Cases>
    </>
  );
}

type CaseProps = { readonly operation: Unresolved; readonly onChanged: () => void };

function Case({ operation, onChanged }: CaseProps) {
  const { kind, unknown, transactionId, paymentService, paymentServiceKey } = operation;
  const mayWrite = useMay('transactions.write');
  if (!unknown) return null;
  return (
    <li className="card case">
      <h2>
        <Link to={`payments/${transactionId}`}>
          {words.operation(texts.payment.timeline.kind[kind], writeMoney(operation))}
        </Link>
        <Pill tone="wait">{words.cause[unknown.cause]}</Pill>
      </h2>
      <p>{words.advice[unknown.nextAttemptAt === null ? 'person' : 'wait']}</p>
      <p className="quiet">
        {words.at(paymentService.displayName)} · {words.since} <Moment at={unknown.since} seconds />
        {unknown.nextAttemptAt !== null && (
          <>
            {' · '}
            {words.next} <Moment at={unknown.nextAttemptAt} seconds />
          </>
        )}
      </p>
      <p className="quiet">
        {words.key} <Copy value={paymentServiceKey} />
      </p>
      {mayWrite && (
        <div className="actions">
          <SyncButton transactionId={transactionId} onChanged={onChanged} />
          <ResolveButton operation={operation} onChanged={onChanged} />
        </div>
      )}
    </li>
  );
}

const Nothing = () => <NothingWaits words={words.empty} guide="docs/concepts/unknown-outcomes" />;
