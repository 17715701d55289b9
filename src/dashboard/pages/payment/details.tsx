import { Link } from '../../app/route.tsx';
import { Copy } from '../../design/pieces.tsx';
import { Facts, type Fact } from '../../design/record/facts.tsx';
import { Amount, Moment } from '../../design/value.tsx';
import { texts } from '../../texts/texts.ts';
import { Decision } from '../anti-fraud/decision.tsx';
import { Method, networkOf } from '../payments/method.tsx';
import type { Payment } from './query.ts';
import { plain } from './words.ts';

type PartProps = { readonly payment: Payment };

/** The amounts of a payment. Amounts of zero are left out, except the requested one. */
export function Amounts({ payment }: PartProps) {
  const { amounts } = texts.payment;
  const { currency } = payment;
  const given = (label: string, amount: number): Fact => [
    label,
    amount > 0 ? <Amount amount={amount} currency={currency} /> : null,
  ];
  return (
    <Facts
      title={amounts.title}
      facts={[
        [amounts.requested, <Amount amount={payment.amount} currency={currency} />],
        given(amounts.giftCards, payment.giftCardAmount),
        given(amounts.authorized, payment.authorizedAmount),
        given(amounts.captured, payment.capturedAmount),
        given(amounts.refunded, payment.refundedAmount),
        given(amounts.disputeLost, payment.disputeLostAmount),
        given(amounts.capturable, payment.capturable.amount),
        given(amounts.refundable, payment.refundable.amount),
      ]}
    />
  );
}

/** The buyer, the means and the references of a payment. */
export function Details({ payment }: PartProps) {
  const { details } = texts.payment;
  const { buyer, card, paymentService: service, paymentServiceTransactionId: providerId } = payment;
  const { firstName, lastName, emailAddress } = buyer?.billingDetails ?? {};
  const name = [firstName, lastName].filter(Boolean).join(' ');
  return (
    <Facts
      title={details.title}
      facts={[
        [details.customer, buyer?.displayName ?? name],
        [details.email, emailAddress],
        [details.method, <Method {...payment} />],
        [details.network, card?.network && networkOf(card.network)],
        [details.expires, card?.expirationDate],
        [details.service, service && <Link to={`services/${service.id}`}>{service.displayName}</Link>],
        [details.reference, payment.externalIdentifier && <Copy value={payment.externalIdentifier} />],
        [details.providerId, providerId && <Copy value={providerId} />],
        [details.approval, payment.authResponseCode],
        [details.cvv, payment.cvvResponseCode && plain(payment.cvvResponseCode)],
        [details.avs, payment.avsResponseCode && plain(payment.avsResponseCode)],
        [details.country, payment.country],
        [details.source, plain(payment.paymentSource)],
        [details.created, <Moment at={payment.createdAt} seconds />],
      ]}
    />
  );
}

/** The authentication of the buyer. Nothing without one. */
export function ThreeDSecure({ payment: { threeDSecure } }: PartProps) {
  if (!threeDSecure) return null;
  const { threeDS } = texts.payment;
  const { status, method, version, eci } = threeDSecure;
  return (
    <Facts
      title={threeDS.title}
      facts={[
        [threeDS.status, status === null ? threeDS.none : plain(status)],
        [threeDS.method, method && plain(method)],
        [threeDS.version, version],
        [threeDS.eci, eci],
      ]}
    />
  );
}

/** The decision of an anti-fraud service, and the result of its review. Nothing without a decision. */
export function FraudCheck({ payment }: PartProps) {
  const { antiFraudDecision: decision, reviewOutcome } = payment;
  const { antiFraudService: service } = payment as Partial<Payment>;
  const { title, facts, outcome } = texts.antiFraud;
  if (decision === null) return null;
  return (
    <Facts
      title={title}
      facts={[
        [facts.decision, <Decision of={decision} />],
        [facts.service, service && <Link to={`anti-fraud/${service.id}`}>{service.displayName}</Link>],
        [facts.review, reviewOutcome && outcome[reviewOutcome]],
      ]}
    />
  );
}
