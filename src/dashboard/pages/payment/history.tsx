import type { Pages } from '../../app/data/pages.ts';
import { Json } from '../../design/record/code.tsx';
import { Disclosure } from '../../design/record/disclosure.tsx';
import { Moment } from '../../design/value.tsx';
import { texts } from '../../texts/texts.ts';
import { Lines } from './lines.tsx';
import type { Entry } from './lists.ts';

/** The calls to providers and the changes of a payment, newest first. Each opens to its details. */
export function History({ list }: { readonly list: Pages<Entry> }) {
  const words = texts.payment.history;
  return (
    <Lines title={words.title} list={list}>
      {(entry) => <ChangeLine {...entry} label={words.details} />}
    </Lines>
  );
}

type ChangeProps = Pick<Entry, 'name' | 'createdAt' | 'context'> & { readonly label: string };

/** A change of a payment, which opens to its details. */
export const ChangeLine = ({ name, createdAt, context, label }: ChangeProps) => (
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
    {() => <Json label={label} text={JSON.stringify(context)} />}
  </Disclosure>
);
