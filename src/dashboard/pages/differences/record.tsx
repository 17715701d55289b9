import { useState } from 'react';
import { isAboutPayment, useRecord } from '../../app/data/refresh.ts';
import { Link } from '../../app/route.tsx';
import { useMay } from '../../app/session-context.tsx';
import { Button } from '../../design/button.tsx';
import { Copy } from '../../design/pieces.tsx';
import { Card } from '../../design/record/card.tsx';
import { Facts } from '../../design/record/facts.tsx';
import { RecordPage } from '../../design/record/page.tsx';
import { Amount, Moment } from '../../design/value.tsx';
import { texts } from '../../texts/texts.ts';
import { PaymentLines } from '../payments/lines.tsx';
import { AdoptDialog, DismissDialog } from './adopt-dialog.tsx';
import { Compared } from './compared.tsx';
import { readDifference, type FoundDifference } from './difference.ts';
import { Evidence } from './evidence.tsx';
import { Age, State } from './state.tsx';

const { differences, payment } = texts;

/** The page of a difference: the three sides, the evidence, the amounts of the payment and the two ends. */
export function Difference({ id }: { readonly id: string }) {
  const mayReadSettlements = useMay('settlements.read');
  const read = useRecord(id, (signal) => readDifference(id, mayReadSettlements, signal), {
    concerns: (events, difference) => isAboutPayment(difference?.transaction.id)(events),
  });
  return (
    <RecordPage
      read={read}
      list="differences"
      words={differences}
      title={({ finding }) => differences.finding[finding].short}
      head={(difference) => ({
        title: differences.finding[difference.finding].short,
        state: <State of={difference.state} />,
        sentence: `${differences.finding[difference.finding].text} ${adviceOf(difference)}`,
        actions: <Actions difference={difference} onChanged={read.reload} />,
      })}
      main={(difference) => (
        <>
          {difference.reason !== null && (
            <Card title={differences.details.reason}>
              <p className="card-text">{difference.reason}</p>
            </Card>
          )}
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
function adviceOf({ state, adoptable, adoption }: FoundDifference): string {
  const { advice } = differences;
  if (state !== 'OPEN') return advice[state];
  if (adoption !== null) return adoption.booked === null ? advice.note : advice.book;
  return adoptable ? advice.later : advice.dismiss;
}

type ActionsProps = { readonly difference: FoundDifference; readonly onChanged: () => void };

/** The ends of an open difference that the person's role allows. The API decides again. */
function Actions({ difference, onChanged }: ActionsProps) {
  const { state, adoption } = difference;
  const [open, setOpen] = useState<'adopt' | 'dismiss' | null>(null);
  const props = { difference, onClose: () => setOpen(null), onChanged };
  if (!useMay('transactions.write') || state !== 'OPEN') return null;
  return (
    <div className="actions">
      <Button icon="cancel" onPress={() => setOpen('dismiss')}>
        {differences.dismiss.open}
      </Button>
      {adoption && (
        <Button icon="tick" look="primary" onPress={() => setOpen('adopt')}>
          {differences.adopt.open}
        </Button>
      )}
      {open === 'adopt' && adoption && <AdoptDialog {...props} adoption={adoption} />}
      {open === 'dismiss' && <DismissDialog {...props} />}
    </div>
  );
}

/** The amounts of the payment as the ledger has them. */
function Ledger({ difference: { transaction } }: { readonly difference: FoundDifference }) {
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

function Details({ difference }: { readonly difference: FoundDifference }) {
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
