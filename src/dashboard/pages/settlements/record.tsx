import { isAboutRecord, useRecord } from '../../app/data/refresh.ts';
import { Link } from '../../app/route.tsx';
import { useMay } from '../../app/session-context.tsx';
import { Copy } from '../../design/pieces.tsx';
import { Card } from '../../design/record/card.tsx';
import { Facts } from '../../design/record/facts.tsx';
import { RecordPage } from '../../design/record/page.tsx';
import { Amount, Day, Moment, writeMoney } from '../../design/value.tsx';
import { texts } from '../../texts/texts.ts';
import { DisputeLines } from '../disputes/lines.tsx';
import { PaymentLines } from '../payments/lines.tsx';
import { Compared } from './compared.tsx';
import { readEntry, type Entry } from './entry.ts';
import { ExplainButton } from './explain.tsx';
import { EntryState } from './state.tsx';

const { settlements } = texts;

/** The page of an entry: the report beside the books, the explanation, and its payment. */
export function Settlement({ id }: { readonly id: string }) {
  const readable = { payments: useMay('transactions.read'), disputes: useMay('disputes.read') };
  const concerns = isAboutRecord(id);
  const read = useRecord(id, (signal) => readEntry(id, readable, signal), { concerns });
  return (
    <RecordPage
      read={read}
      list="settlements"
      words={settlements}
      title={({ kind, net, currency }) =>
        `${settlements.kind[kind]} ${writeMoney({ amount: net, currency })}`
      }
      head={(entry) => ({
        title: <Amount amount={entry.net} currency={entry.currency} />,
        state: <EntryState {...entry} />,
        sentence: sentenceOf(entry),
        actions: <ExplainButton entry={entry} onChanged={read.reload} />,
      })}
      main={(entry) => <Main entry={entry} />}
      side={(entry) => <Details entry={entry} />}
    />
  );
}

/** Says what the entry is, and why it does not fit. */
function sentenceOf({ kind, difference }: Entry): string {
  const about = settlements.about[kind];
  return difference === null ? about : `${about} ${settlements.difference[difference.reason].text}`;
}

function Main({ entry }: { readonly entry: Entry }) {
  const { transaction, dispute, difference }: Partial<Entry> = entry;
  const isAlone = !transaction && !entry.operation && difference === null;
  return (
    <>
      {difference?.explanation != null && <Explanation difference={difference} />}
      <Compared entry={entry} />
      <DisputeLines disputes={dispute ? [dispute] : undefined} />
      <PaymentLines
        title={settlements.payment}
        empty={settlements.noPayment}
        payments={isAlone ? undefined : transaction ? [transaction] : []}
      />
      {isAlone && entry.paymentServicePayoutId !== null && (
        <Card
          title={settlements.views.entries}
          aside={<PayoutLink payout={entry.paymentServicePayoutId} />}
        />
      )}
    </>
  );
}

const PayoutLink = ({ payout }: { readonly payout: string }) => (
  <Link to={`settlements?${new URLSearchParams({ payout })}`}>{settlements.entriesOfPayout}</Link>
);

type ExplanationProps = { readonly difference: NonNullable<Entry['difference']> };

function Explanation({ difference: { explanation, explainedAt } }: ExplanationProps) {
  return (
    <Card
      title={settlements.explain.reason}
      aside={<span className="quiet">{explainedAt !== null && <Moment at={explainedAt} />}</span>}
    >
      <p className="card-text">{explanation}</p>
    </Card>
  );
}

function Details({ entry }: { readonly entry: Entry }) {
  const { details, column } = settlements;
  const { currency, originalAmount, originalCurrency, paymentServicePayoutId: payout, difference } = entry;
  const money = (amount: number) => <Amount amount={amount} currency={currency} />;
  return (
    <Facts
      title={details.title}
      facts={[
        [column.gross, money(entry.gross)],
        [column.fee, money(entry.fee)],
        [column.net, money(entry.net)],
        [
          details.original,
          originalAmount !== null && originalCurrency !== null && (
            <Amount amount={originalAmount} currency={originalCurrency} />
          ),
        ],
        [details.rate, entry.exchangeRate],
        [column.settledOn, <Day on={entry.settledOn} />],
        [details.payout, payout !== null && <PayoutLink payout={payout} />],
        [column.service, entry.paymentService.displayName],
        [details.providerKind, entry.paymentServiceKind],
        [details.line, entry.reportLine],
        [details.providerId, <Copy value={entry.paymentServiceSettlementId} />],
        [details.nextMatch, difference?.nextMatchAt && <Moment at={difference.nextMatchAt} />],
        [details.created, <Moment at={entry.createdAt} />],
        [details.id, <Copy value={entry.id} />],
      ]}
    />
  );
}
