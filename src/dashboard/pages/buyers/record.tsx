import { paymentsOf } from '../../app/data/live.tsx';
import { isAbout, useRecord } from '../../app/data/refresh.ts';
import { Link } from '../../app/route.tsx';
import { useMay } from '../../app/session-context.tsx';
import { Copy } from '../../design/pieces.tsx';
import { Facts } from '../../design/record/facts.tsx';
import { RecordPage } from '../../design/record/page.tsx';
import { Moment, writeMoney } from '../../design/value.tsx';
import { texts } from '../../texts/texts.ts';
import { numberOf } from '../gift-cards/state.tsx';
import { PaymentLines } from '../payments/lines.tsx';
import { Methods } from './methods.tsx';
import { nameOf } from './name.ts';
import { readBuyer, type Buyer as Found } from './query.ts';

const { buyers } = texts;

/** The page of a buyer: the latest payments, the stored payment methods and gift cards. */
export function Buyer({ id }: { readonly id: string }) {
  const readable = {
    methods: useMay('payment-methods.read'),
    giftCards: useMay('gift-cards.read'),
    payments: useMay('transactions.read'),
  };
  const read = useRecord(id, (signal) => readBuyer(id, readable, signal), {
    concerns: (events) => concernsBuyers(events) || paymentsOf(events).size > 0,
  });
  return (
    <RecordPage
      read={read}
      list="buyers"
      words={buyers}
      title={nameOf}
      head={(buyer) => ({ title: nameOf(buyer), sentence: buyer.billingDetails?.emailAddress })}
      main={(buyer) => (
        <>
          <PaymentLines
            title={buyers.payments.title}
            empty={buyers.payments.empty}
            payments={(buyer as Partial<Found>).transactions?.nodes}
          />
          <Methods buyer={buyer} onChanged={read.reload} />
        </>
      )}
      side={(buyer) => (
        <>
          <Details buyer={buyer} />
          <GiftCards buyer={buyer} />
        </>
      )}
    />
  );
}

/** The records that the page shows beside payments. */
const concernsBuyers = isAbout('buyer', 'payment-method', 'gift-card');

function Details({ buyer }: { readonly buyer: Found }) {
  const { details } = buyers;
  const { firstName, lastName, emailAddress, phoneNumber, address, taxId } = buyer.billingDetails ?? {};
  return (
    <Facts
      title={details.title}
      facts={[
        [details.name, [firstName, lastName].filter(Boolean).join(' ')],
        [details.email, emailAddress],
        [details.phone, phoneNumber],
        [details.address, address && linesOf(address)],
        [details.tax, taxId && `${taxId.value} (${taxId.kind})`],
        [details.reference, buyer.externalIdentifier],
        [details.account, buyer.accountNumber],
        [details.created, <Moment at={buyer.createdAt} />],
        [details.id, <Copy value={buyer.id} />],
      ]}
    />
  );
}

type Address = NonNullable<NonNullable<Found['billingDetails']>['address']>;

/** Writes an address as one line, from the person to the country. */
function linesOf(address: Address): string {
  const { organization, line1, houseNumberOrName, line2, postalCode, city, state, country } = address;
  const place = [postalCode, city].filter(Boolean).join(' ');
  const street = [line1, houseNumberOrName].filter(Boolean).join(' ');
  return [organization, street, line2, place, state, country].filter(Boolean).join(', ');
}

/** Absent without the scope that reads gift cards, and for a buyer without any. */
function GiftCards({ buyer: { giftCards } }: { readonly buyer: Partial<Found> }) {
  if (!giftCards || giftCards.length === 0) return null;
  return (
    <Facts
      title={buyers.giftCards.title}
      facts={giftCards.map(({ id, lastFour, balance, currency }) => [
        numberOf({ lastFour }),
        <Link to={`gift-cards/${id}`}>{writeMoney({ amount: balance, currency })}</Link>,
      ])}
    />
  );
}
