import { Json } from '../../design/code.tsx';
import { Disclosure } from '../../design/disclosure.tsx';
import { Moment } from '../../design/value.tsx';
import { texts } from '../../texts/texts.ts';
import type { Payment } from './query.ts';

type HistoryProps = { readonly entries: Payment['events']['nodes'] };

/** The calls to providers and the changes of a payment, newest first. Each opens to its details. */
export function History({ entries }: HistoryProps) {
  const words = texts.payment.history;
  return (
    <section className="card">
      <header>
        <h2>{words.title}</h2>
      </header>
      <ul className="events">
        {entries.toReversed().map(({ id, name, createdAt, context }) => (
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
              {() => <Json label={words.details} text={JSON.stringify(context)} />}
            </Disclosure>
          </li>
        ))}
      </ul>
    </section>
  );
}
