import { mayChangePayments } from '../../app/live.tsx';
import { useRead } from '../../app/read.ts';
import { useRefresh } from '../../app/refresh.ts';
import { Link } from '../../app/route.tsx';
import { CardBones } from '../../design/pieces.tsx';
import { Problem } from '../../design/problem.tsx';
import { texts } from '../../texts/texts.ts';
import { addressOf, NO_FILTERS } from '../payments/filters.ts';
import { PaymentLines } from '../payments/lines.tsx';
import { readHeld } from './query.ts';

const { held: words } = texts.antiFraud;

/** The latest payments that wait for a person's decision. */
export function HeldPayments() {
  const { data, error, reload } = useRead('held', readHeld);
  useRefresh(reload, { concerns: mayChangePayments, isMoving: false });
  if (error !== null) return <Problem error={error} onRetry={reload} />;
  if (!data) return <CardBones />;
  return (
    <PaymentLines title={words.title} empty={words.nothing} payments={data}>
      {data.length > 0 && <Link to={addressOf({ ...NO_FILTERS, review: 'yes' })}>{words.all}</Link>}
    </PaymentLines>
  );
}
