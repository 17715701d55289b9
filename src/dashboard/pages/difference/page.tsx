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
import { Age, State } from '../differences/state.tsx';
import { PaymentLines } from '../payments/lines.tsx';
import { Actions } from './actions.tsx';
import { Compared } from './compared.tsx';
import { Evidence } from './evidence.tsx';
import { readDifference, type Difference as Found } from './query.ts';

const { differences, payment } = texts;

/** The page of a difference: the three sides, the evidence, the amounts of the payment and the two ends. */
export function Difference({ id }: { readonly id: string }) {
  const mayReadSettlements = useMay('settlements.read');
  const read = useRead(id, (signal) => readDifference(id, mayReadSettlements, signal), { forget: true });
  const paymentId = read.data?.transaction.id;
  useRefresh(read.reload, {
    concerns: (events) =>
      events.length === 0 || (paymentId !== undefined && paymentsOf(events).has(paymentId)),
    isMoving: false,
  });
  return (
    <Record
      read={read}
      back={{ to: 'differences', label: differences.back }}
      missing={{ title: differences.missing, text: differences.missingText }}
      title={({ finding }) => differences.finding[finding].short}
      head={(difference) => ({
        title: differences.finding[difference.finding].short,
        state: <State {...difference} />,
        sentence: `${differences.finding[difference.finding].text} ${adviceOf(difference)}`,
        actions: <Actions difference={difference} onChanged={read.reload} />,
      })}
      main={(difference) => (
        <>
          {difference.reason !== null && <Reason reason={difference.reason} />}
          <Compared difference={difference} />
          <Evidence difference={difference} />
          <PaymentLines title={differences.column.payment} empty="" payments={[difference.transaction]} />
        </>
      )}
      side={(difference) => (
        <>
          <Ledger difference={difference} />
          <Details difference={difference} />
        </>
      )}
    />
  );
}

/** Says the next thing to do, or how the difference ended. */
function adviceOf({ state, adoptable, adoption }: Found): string {
  const { advice } = differences;
  if (state !== 'OPEN') return advice[state];
  if (adoption !== null) return adoption.booked === null ? advice.note : advice.book;
  return adoptable ? advice.later : advice.dismiss;
}

const Reason = ({ reason }: { readonly reason: string }) => (
  <section className="card">
    <header>
      <h2>{differences.details.reason}</h2>
    </header>
    <p className="card-text">{reason}</p>
  </section>
);

/** The amounts of the payment as the ledger has them. */
function Ledger({ difference: { transaction } }: { readonly difference: Found }) {
  const { amounts } = payment;
  const { currency, capturable, refundable } = transaction;
  const money = (amount: number) => <Amount amount={amount} currency={currency} />;
  return (
    <Facts
      title={amounts.title}
      facts={[
        [amounts.authorized, money(transaction.authorizedAmount)],
        [amounts.captured, money(transaction.capturedAmount)],
        [amounts.refunded, money(transaction.refundedAmount)],
        [amounts.capturable, money(capturable.amount)],
        [amounts.refundable, money(refundable.amount)],
      ]}
    />
  );
}

function Details({ difference }: { readonly difference: Found }) {
  const { details } = differences;
  const { transaction, endedAt } = difference;
  return (
    <Facts
      title={details.title}
      facts={[
        [
          details.since,
          <span className="deadline">
            <Moment at={difference.foundAt} seconds />
            <Age at={difference.foundAt} />
          </span>,
        ],
        [details.ended, endedAt !== null && <Moment at={endedAt} seconds />],
        [differences.field.source, differences.source[difference.source]],
        [differences.field.service, difference.paymentService.displayName],
        [payment.details.providerId, <Copy value={difference.paymentServiceReference} />],
        [
          payment.details.reference,
          transaction.externalIdentifier !== null && (
            <Link to={`payments/${transaction.id}`}>{transaction.externalIdentifier}</Link>
          ),
        ],
        [details.id, <Copy value={difference.id} />],
      ]}
    />
  );
}
