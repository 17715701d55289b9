import { paymentsOf } from '../../app/live.tsx';
import { useRead } from '../../app/read.ts';
import { useRefresh } from '../../app/refresh.ts';
import { Link } from '../../app/route.tsx';
import { useMay } from '../../app/session-context.tsx';
import { Facts } from '../../design/facts.tsx';
import { Copy } from '../../design/pieces.tsx';
import { Record } from '../../design/record.tsx';
import { Amount, Moment } from '../../design/value.tsx';
import { texts } from '../../texts/texts.ts';
import { nameOf } from '../buyers/name.ts';
import { GiftCardState, numberOf } from '../gift-cards/state.tsx';
import { Actions } from './actions.tsx';
import { readGiftCard, type GiftCard as Found } from './query.ts';
import { Redemptions } from './redemptions.tsx';

const { giftCards } = texts;

/** The page of a gift card: its balance, its redemptions and its owner. */
export function GiftCard({ id }: { readonly id: string }) {
  const mayReadBuyers = useMay('buyers.read');
  const read = useRead(id, (signal) => readGiftCard(id, mayReadBuyers, signal), { forget: true });
  useRefresh(read.reload, {
    concerns: (events) =>
      events.length === 0 || events.some(({ target }) => target.id === id) || paymentsOf(events).size > 0,
    isMoving: false,
  });
  const mayReadPayments = useMay('transactions.read');
  return (
    <Record
      read={read}
      back={{ to: 'gift-cards', label: giftCards.back }}
      missing={{ title: giftCards.missing, text: giftCards.missingText }}
      title={(card) => giftCards.name(numberOf(card))}
      head={(card) => ({
        title: <Amount amount={card.balance} currency={card.currency} />,
        state: <GiftCardState {...card} />,
        sentence: (
          <>
            {giftCards.name(numberOf(card))}. {giftCards.asOf} <Moment at={card.balanceUpdatedAt} seconds />
          </>
        ),
        actions: <Actions card={card} onChanged={read.reload} />,
      })}
      main={(card) => mayReadPayments && <Redemptions card={card} />}
      side={(card) => <Details card={card} />}
    />
  );
}

function Details({ card }: { readonly card: Found }) {
  const { details } = giftCards;
  const { buyer }: Partial<Pick<Found, 'buyer'>> = card;
  return (
    <Facts
      title={details.title}
      facts={[
        [details.number, `${card.bin} ${card.subBin}… ${card.lastFour}`],
        [details.buyer, buyer && <Link to={`buyers/${buyer.id}`}>{nameOf(buyer)}</Link>],
        [details.expires, card.expirationDate && <Moment at={card.expirationDate} />],
        [details.used, giftCards.times(card.usageCount)],
        [details.lastUsed, card.lastUsedAt && <Moment at={card.lastUsedAt} />],
        [details.service, card.paymentService.displayName],
        [details.created, <Moment at={card.createdAt} />],
        [details.id, <Copy value={card.id} />],
      ]}
    />
  );
}
