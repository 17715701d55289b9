import { api } from '../../app/data/api.ts';
import { useRead } from '../../app/data/read.ts';
import { Link } from '../../app/route.tsx';
import { CardBones } from '../../design/pieces.tsx';
import { Problem } from '../../design/problem.tsx';
import { CardList } from '../../design/record/card.tsx';
import { texts } from '../../texts/texts.ts';
import { ChangeLine } from '../payment/history.tsx';
import type { FoundDifference } from './difference.ts';

const { differences, payment } = texts;
const { evidence: words } = differences;

const CHANGE = { id: true, name: true, createdAt: true, context: true } as const;

/** Reads the newest changes of a payment. They hold the reports of the provider. */
async function readHistory(id: string, signal: AbortSignal) {
  const { transaction } = await api.query(
    { transaction: [{ id }, { events: [{ first: 100 }, { nodes: CHANGE }] }] },
    { signal },
  );
  return transaction?.events.nodes ?? [];
}

/** The changes of the payment that name the report or the operation, newest first. Each opens to its details. */
export function Evidence({ difference }: { readonly difference: FoundDifference }) {
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
    <CardList
      title={words.title}
      aside={<Link to={`payments/${transaction.id}`}>{words.payment}</Link>}
      note={error !== null && <Problem error={error} onRetry={reload} />}
      rows={entries}
      empty={data && words.empty}
      isTall
    >
      {(change) => <ChangeLine {...change} label={payment.history.details} />}
    </CardList>
  );
}
