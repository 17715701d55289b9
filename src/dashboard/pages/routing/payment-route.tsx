import type { CardScheme, ExplainRoutingInput } from '../../../client/generated/schema.ts';
import { useRead } from '../../app/data/read.ts';
import type { Tone } from '../../design/pieces.tsx';
import { Problem } from '../../design/problem.tsx';
import { Card } from '../../design/record/card.tsx';
import { texts } from '../../texts/texts.ts';
import { reasonOf } from '../payment/decline.ts';
import type { Payment } from '../payment/query.ts';
import { SCHEMES } from '../services/profile.ts';
import { DecidedBy } from '../rules/decided-by.tsx';
import { PassedOver, passedOverBy, Stops, type Passed, type Stop } from './drawing.tsx';
import { explainRoute, type Explanation } from './query.ts';

const { routing: words } = texts;

type Attempt = Payment['attempts'][number];

const TONES: Readonly<Record<Attempt['status'], Tone>> = {
  ...{ SUCCEEDED: 'good', DECLINED: 'bad', FAILED: 'bad', PENDING: 'wait' },
};

/** The route of a payment: the services that were asked, and the reasons against the others. */
export function PaymentRoute({ payment }: { readonly payment: Payment }) {
  const input = inputOf(payment);
  if (payment.attempts.length === 0) return null;
  return (
    <Card title={words.title} label={words.title}>
      <DecidedBy decision={(payment as Partial<Payment>).routing} />
      <Stops stops={payment.attempts.map((attempt) => stopOf(payment, attempt))} />
      {input && <Others payment={payment} input={input} />}
    </Card>
  );
}

/** Says the outcome of an attempt, and why the service was asked. */
const stopOf = (payment: Payment, { id, paymentService, status, choice, errorCode }: Attempt): Stop => ({
  key: id,
  service: paymentService,
  tone: TONES[status],
  state: words.state[status],
  sentences: [
    words.why[choice],
    ...circuitSentences(payment, paymentService.id),
    ...(errorCode === null ? [] : [reasonOf(payment.declineCodes, errorCode)]),
  ],
});

/** Says what an open circuit changed about a service of a payment. */
function circuitSentences({ circuits }: Payment, serviceId: string): readonly string[] {
  const isAmong = (services: readonly { readonly id: string }[] = []): boolean =>
    services.some(({ id }) => id === serviceId);
  if (isAmong(circuits?.triedAgain)) return [words.circuit.triedAgain];
  return isAmong(circuits?.setBehind) ? [words.circuit.wasBehind] : [];
}

type OthersProps = {
  readonly payment: Payment;
  readonly input: ExplainRoutingInput;
};

/** The services that got no request. Their reasons are read again only for another payment. */
function Others({ payment, input }: OthersProps) {
  const { data, error, reload } = useRead(payment.id, (signal) => explainRoute(input, false, signal), {
    forget: true,
  });
  if (error !== null) return <Problem error={error} onRetry={reload} />;
  if (!data) return null;
  const { passed, ...rest } = passedOverBy(data);
  return (
    <>
      <PassedOver {...rest} passed={unasked(payment, passed, data)} />
      <p className="card-note">{words.present}</p>
    </>
  );
}

/** Lists the services that got no request. A service that accepts the payment was one that no retry reached. */
function unasked(
  payment: Payment,
  passed: readonly Passed[],
  { candidates }: Explanation,
): readonly Passed[] {
  const asked = new Set(payment.attempts.map(({ paymentService }) => paymentService.id));
  const spared = candidates.map(({ paymentService }) => ({
    service: paymentService,
    sentences: [words.spared, ...circuitSentences(payment, paymentService.id)],
  }));
  return [...spared, ...passed].filter(({ service }) => !asked.has(service.id));
}

/**
 * Describes a payment for the explanation. Null for a payment by the token of a provider, because only the services that know
 * the token were candidates.
 */
function inputOf(payment: Payment): ExplainRoutingInput | null {
  const { method, instrumentType, currency, country, intent, installmentCount, store, attempts, card } =
    payment;
  if (instrumentType === 'CARD_TOKEN' || instrumentType === 'REDIRECT_TOKEN') return null;
  const [first] = attempts;
  const isWallet =
    instrumentType === 'APPLEPAY' || instrumentType === 'GOOGLEPAY' || instrumentType === 'NETWORK_TOKEN';
  return {
    ...{ currency, country, intent, installmentCount, store },
    ...seenByRules(payment, isWallet),
    cardNetwork: card?.network ?? null,
    method: isWallet ? instrumentType.toLowerCase() : method,
    redirect: method === 'card' && instrumentType === 'REDIRECT',
    paymentServiceId: first?.choice === 'REQUESTED' ? first.paymentService.id : null,
  };
}

/** Lists the values that only the merchant's own rules see. They do not know the card of a wallet before the payment. */
function seenByRules(payment: Payment, isWallet: boolean): Partial<ExplainRoutingInput> {
  const { amount, paymentSource, merchantInitiated, isSubsequentPayment, externalIdentifier } = payment;
  const { buyerId, metadata } = payment;
  const card = isWallet ? null : payment.card;
  return {
    ...{ amount, paymentSource, merchantInitiated, isSubsequentPayment, externalIdentifier, buyerId },
    metadata:
      metadata && Object.fromEntries(Object.entries(metadata).map(([name, value]) => [name, String(value)])),
    cardBin: card?.bin ?? null,
    cardScheme: schemeOf(card?.scheme ?? null),
  };
}

/** Returns the scheme that the API names as `visa`, in the words of the input. */
const schemeOf = (scheme: string | null): CardScheme | null =>
  SCHEMES.find((each) => each.toLowerCase() === scheme?.replaceAll('-', '_')) ?? null;
