import type { GiftCardRedemptionStatus } from '../../../client/generated/schema.ts';
import { paymentsOf } from '../../app/live.tsx';
import { useRead } from '../../app/read.ts';
import { useRefresh } from '../../app/refresh.ts';
import { Link } from '../../app/route.tsx';
import { Bone, Pill, type Tone } from '../../design/pieces.tsx';
import { Problem } from '../../design/problem.tsx';
import { Amount, Moment, writeMoney } from '../../design/value.tsx';
import { texts } from '../../texts/texts.ts';
import { readRedemptions, SEARCHED, type GiftCard, type Redemption } from './query.ts';

const { redemptions: words } = texts.giftCards;

const TONES: Readonly<Record<GiftCardRedemptionStatus, Tone>> = {
  ...{ CREATED: 'wait', PENDING: 'wait', SUCCEEDED: 'good', FAILED: 'bad', SKIPPED: 'calm' },
  ...{ REVERSING: 'wait', REVERSED: 'calm' },
};

/** The parts of payments that a gift card pays, newest first. Each leads to its payment. */
export function Redemptions({ card }: { readonly card: GiftCard }) {
  const { data, error, isLoading, reload } = useRead(card.id, (signal) => readRedemptions(card, signal));
  useRefresh(reload, {
    concerns: (events) => events.length === 0 || paymentsOf(events).size > 0,
    isMoving: false,
  });
  return (
    <section className="card">
      <header>
        <h2>{words.title}</h2>
        {data && data.length < card.usageCount && (
          <span className="quiet">{words.part(data.length, card.usageCount, SEARCHED)}</span>
        )}
      </header>
      {error !== null && <Problem error={error} onRetry={reload} />}
      {!data && isLoading && (
        <div className="card-bones" role="status" aria-label={texts.loading}>
          <Bone width={280} />
          <Bone width={320} />
        </div>
      )}
      {data?.length === 0 && <p className="card-note">{words.empty}</p>}
      <ul className="events">
        {data?.map((redemption) => (
          <Line key={redemption.id} redemption={redemption} />
        ))}
      </ul>
    </section>
  );
}

function Line({ redemption }: { readonly redemption: Redemption }) {
  const { paymentId, status, amount, currency, refundedAmount, createdAt } = redemption;
  return (
    <li className="event">
      <Link to={`payments/${paymentId}`}>
        <Amount amount={amount} currency={currency} />
      </Link>
      <Pill tone={TONES[status]}>{words.status[status]}</Pill>
      {refundedAmount > 0 && (
        <span className="quiet">{words.refunded(writeMoney({ amount: refundedAmount, currency }))}</span>
      )}
      <span className="quiet">
        <Moment at={createdAt} seconds />
      </span>
    </li>
  );
}
