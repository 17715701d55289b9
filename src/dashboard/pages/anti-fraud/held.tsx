import { api } from '../../app/data/api.ts';
import { mayChangePayments } from '../../app/data/live.tsx';
import { useRead } from '../../app/data/read.ts';
import { useRefresh } from '../../app/data/refresh.ts';
import { Link } from '../../app/route.tsx';
import { CardBones } from '../../design/pieces.tsx';
import { Problem } from '../../design/problem.tsx';
import { texts } from '../../texts/texts.ts';
import { addressOf, NO_FILTERS } from '../payments/filters/filters.ts';
import { PAYMENT_LINE, PaymentLines } from '../payments/lines.tsx';

const { held: words } = texts.antiFraud;

/** Reads the latest payments that a review holds. */
async function readHeld(signal: AbortSignal) {
  const { transactions } = await api.query(
    { transactions: [{ first: 10, filter: { pendingReview: true } }, { nodes: PAYMENT_LINE }] },
    { signal },
  );
  return transactions.nodes;
}

/** The latest payments that wait for a person's decision. */
export function HeldPayments() {
  const { data, error, reload } = useRead('held', readHeld);
  useRefresh(reload, mayChangePayments);
  if (error !== null) return <Problem error={error} onRetry={reload} />;
  if (!data) return <CardBones />;
  return (
    <PaymentLines title={words.title} empty={words.nothing} payments={data}>
      {data.length > 0 && <Link to={addressOf({ ...NO_FILTERS, review: 'yes' })}>{words.all}</Link>}
    </PaymentLines>
  );
}
