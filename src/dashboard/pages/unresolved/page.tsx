import { usePages } from '../../app/pages.ts';
import { mayChangePayments } from '../../app/live.tsx';
import { useRefresh } from '../../app/refresh.ts';
import { Link } from '../../app/route.tsx';
import { useMay } from '../../app/session-context.tsx';
import { addressOf } from '../../app/session.ts';
import { PageHead } from '../../app/shell.tsx';
import { Button } from '../../design/button.tsx';
import { Bone, Copy, Empty, Pill } from '../../design/pieces.tsx';
import { Problem } from '../../design/problem.tsx';
import { Moment, writeMoney } from '../../design/value.tsx';
import { texts } from '../../texts/texts.ts';
import { readUnresolved, type Unresolved } from './query.ts';
import { ResolveButton } from './resolve.tsx';
import { SyncButton } from './sync.tsx';

const { unresolved: words } = texts;

/** The operations whose outcome is unknown, each with the next thing to do. */
export function UnresolvedOperations() {
  const { data, error, isLoading, reload, more } = usePages('unresolved', readUnresolved);
  useRefresh(reload, { concerns: mayChangePayments, isMoving: (data?.rows.length ?? 0) > 0 });
  return (
    <>
      <PageHead title={words.title} />
      {error !== null && <Problem error={error} onRetry={reload} />}
      {!data && isLoading && <Bones />}
      {data?.rows.length === 0 && <Nothing />}
      {data && data.rows.length > 0 && <p className="page-note">{words.text}</p>}
      <ul className="cases">
        {data?.rows.map((operation) => (
          <Case key={operation.id} operation={operation} onChanged={reload} />
        ))}
      </ul>
      {data?.hasMore && (
        <div className="list-more">
          <Button onPress={more} isDisabled={isLoading}>
            {texts.action.more}
          </Button>
        </div>
      )}
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

const Nothing = () => (
  <Empty
    icon="shield"
    title={words.empty.title}
    actions={
      <>
        <Link className="button" to="payments">
          {words.empty.payments}
        </Link>
        <a className="button" href={addressOf('docs/concepts/unknown-outcomes')}>
          {words.empty.guide}
        </a>
      </>
    }
  >
    {words.empty.text}
  </Empty>
);

const Bones = () => (
  <div className="cases" role="status" aria-label={texts.loading}>
    {[280, 320].map((width) => (
      <div key={width} className="card case">
        <Bone width={width} />
        <Bone width={width + 80} />
        <Bone width={width - 60} />
      </div>
    ))}
  </div>
);
