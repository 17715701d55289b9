import type { Pages } from '../../app/pages.ts';
import { Json } from '../../design/code.tsx';
import { Disclosure } from '../../design/disclosure.tsx';
import { Moment } from '../../design/value.tsx';
import { texts } from '../../texts/texts.ts';
import { Lines } from './lines.tsx';
import type { Entry } from './lists.ts';

/** The calls to providers and the changes of a payment, newest first. Each opens to its details. */
export function History({ list }: { readonly list: Pages<Entry> }) {
  const words = texts.payment.history;
  return (
    <Lines title={words.title} list={list}>
      {({ name, createdAt, context }) => (
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
      )}
    </Lines>
  );
}
