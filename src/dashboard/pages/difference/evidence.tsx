import { useRead } from '../../app/read.ts';
import { Link } from '../../app/route.tsx';
import { Json } from '../../design/code.tsx';
import { Disclosure } from '../../design/disclosure.tsx';
import { CardBones } from '../../design/pieces.tsx';
import { Problem } from '../../design/problem.tsx';
import { Moment } from '../../design/value.tsx';
import { texts } from '../../texts/texts.ts';
import { readHistory, type Difference } from './query.ts';

const { differences, payment } = texts;
const { evidence: words } = differences;

/** The changes of the payment that name the report or the operation, newest first. Each opens to its details. */
export function Evidence({ difference }: { readonly difference: Difference }) {
  const { paymentServiceReference, operation, transaction, state } = difference;
  // An adoption adds to the history.
  const { data, error, isLoading, reload } = useRead(`${transaction.id} ${state}`, (signal) =>
    readHistory(transaction.id, signal),
  );
  const names = [paymentServiceReference, ...(operation ? [operation.id] : [])];
  const entries = (data ?? []).filter(({ context }) => {
    const text = JSON.stringify(context);
    return names.some((name) => text.includes(name));
  });
  if (data === null && isLoading) return <CardBones />;
  return (
    <section className="card">
      <header>
        <h2>{words.title}</h2>
        <Link to={`payments/${transaction.id}`}>{words.payment}</Link>
      </header>
      {error !== null && <Problem error={error} onRetry={reload} />}
      {data !== null && entries.length === 0 && <p className="card-note">{words.empty}</p>}
      <ul className="events">
        {entries.map(({ id, name, createdAt, context }) => (
          <li key={id}>
            <Disclosure
              summary={
                <>
                  <code className="mono">{name}</code>
                  <span className="quiet">
                    <Moment at={createdAt} seconds />
                  </span>
                </>
              }
            >
              {() => <Json label={payment.history.details} text={JSON.stringify(context)} />}
            </Disclosure>
          </li>
        ))}
      </ul>
    </section>
  );
}
