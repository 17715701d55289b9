import type { GiftCardRedemptionStatus } from '../../../client/generated/schema.ts';
import { api } from '../../app/data/api.ts';
import { mayChangePayments } from '../../app/data/live.tsx';
import { useRead } from '../../app/data/read.ts';
import { useRefresh } from '../../app/data/refresh.ts';
import { Link } from '../../app/route.tsx';
import { pillOf } from '../../design/pieces.tsx';
import { ReadList } from '../../design/record/card.tsx';
import { Amount, Moment, writeMoney } from '../../design/value.tsx';
import { texts } from '../../texts/texts.ts';
import type { FoundGiftCard } from './query.ts';

const { redemptions: words } = texts.giftCards;

const REDEMPTION = {
  ...{ id: true, status: true, amount: true, currency: true, refundedAmount: true, errorCode: true },
  giftCard: { id: true },
} as const;

/** The latest payments with gift cards that are searched for one gift card. */
const SEARCHED = 50;

type CardOf = Pick<FoundGiftCard, 'id' | 'createdAt' | 'usageCount'>;

/** Reads the redemptions of a gift card among the latest payments with gift cards, newest first. */
async function readRedemptions({ id, createdAt }: CardOf, signal: AbortSignal) {
  const filter = { hasGiftCardRedemptions: true, createdAtGte: createdAt };
  const payment = { id: true, createdAt: true, giftCardRedemptions: REDEMPTION } as const;
  const { transactions } = await api.query(
    { transactions: [{ first: SEARCHED, filter }, { nodes: payment }] },
    { signal },
  );
  return transactions.nodes.flatMap(({ id: paymentId, createdAt: paidAt, giftCardRedemptions }) =>
    giftCardRedemptions
      .filter(({ giftCard }) => giftCard?.id === id)
      .map((redemption) => ({ ...redemption, paymentId, paidAt })),
  );
}

const State = pillOf<GiftCardRedemptionStatus>(words.status, {
  ...{ CREATED: 'wait', PENDING: 'wait', SUCCEEDED: 'good', FAILED: 'bad', SKIPPED: 'calm' },
  ...{ REVERSING: 'wait', REVERSED: 'calm' },
});

/** The parts of payments that a gift card pays, newest first. Each leads to its payment. */
export function Redemptions({ card }: { readonly card: CardOf }) {
  const read = useRead(card.id, (signal) => readRedemptions(card, signal));
  useRefresh(read.reload, mayChangePayments);
  const count = read.data?.length ?? card.usageCount;
  return (
    <ReadList
      title={words.title}
      aside={
        count < card.usageCount && (
          <span className="quiet">{words.part(count, card.usageCount, SEARCHED)}</span>
        )
      }
      read={read}
      empty={words.empty}
    >
      {({ paymentId, status, amount, currency, refundedAmount, paidAt }) => (
        <>
          <Link to={`payments/${paymentId}`}>
            <Amount amount={amount} currency={currency} />
          </Link>
          <State of={status} />
          {refundedAmount > 0 && (
            <span className="quiet">{words.refunded(writeMoney({ amount: refundedAmount, currency }))}</span>
          )}
          <span className="quiet">
            <Moment at={paidAt} seconds />
          </span>
        </>
      )}
    </ReadList>
  );
}
