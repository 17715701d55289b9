import { paymentsOf } from '../../app/live.tsx';
import { useRead } from '../../app/read.ts';
import { useRefresh } from '../../app/refresh.ts';
import { Link } from '../../app/route.tsx';
import { useMay } from '../../app/session-context.tsx';
import { Facts } from '../../design/facts.tsx';
import { Copy } from '../../design/pieces.tsx';
import { Record } from '../../design/record.tsx';
import { Amount, Moment, writeMoney } from '../../design/value.tsx';
import { texts } from '../../texts/texts.ts';
import { Deadline, DisputeState, isDue } from '../disputes/state.tsx';
import { PaymentLines } from '../payments/lines.tsx';
import { Actions } from './actions.tsx';
import { readDispute, type Dispute as Found } from './query.ts';
import { Responses } from './responses.tsx';
import { sentenceOf } from './words.ts';

const { disputes } = texts;

/** The page of a dispute: its deadline, what helps against it, the responses and the payment. */
export function Dispute({ id }: { readonly id: string }) {
  const mayReadBuyers = useMay('buyers.read');
  const read = useRead(id, (signal) => readDispute(id, mayReadBuyers, signal), { forget: true });
  const paymentId = read.data?.transaction.id;
  useRefresh(read.reload, {
    concerns: (events) =>
      events.length === 0 || (paymentId !== undefined && paymentsOf(events).has(paymentId)),
    isMoving: false,
  });
  return (
    <Record
      read={read}
      back={{ to: 'disputes', label: disputes.back }}
      missing={{ title: disputes.missing, text: disputes.missingText }}
      title={(dispute) => disputes.name(writeMoney(dispute))}
      head={(dispute) => ({
        title: <Amount {...dispute} />,
        state: <DisputeState status={dispute.status} />,
        sentence: sentenceOf(dispute),
        actions: <Actions dispute={dispute} onChanged={read.reload} />,
      })}
      main={(dispute) => (
        <>
          {isDue(dispute) && <Help dispute={dispute} />}
          <Responses responses={dispute.responses} />
          <PaymentLines title={disputes.payment} empty="" payments={[dispute.transaction]} />
        </>
      )}
      side={(dispute) => <Details dispute={dispute} />}
    />
  );
}

/** The evidence that helps against the buyer's reason. */
function Help({ dispute: { reason } }: { readonly dispute: Found }) {
  const { help } = disputes;
  return (
    <section className="card">
      <header>
        <h2>{help.title}</h2>
      </header>
      <p className="card-note">{help.by[reason]}</p>
    </section>
  );
}

function Details({ dispute }: { readonly dispute: Found }) {
  const { details } = disputes;
  const { transaction, currency } = dispute;
  return (
    <Facts
      title={details.title}
      facts={[
        [details.respondBy, dispute.status === 'NEEDS_RESPONSE' && <Deadline {...dispute} />],
        [details.reason, disputes.reason[dispute.reason]],
        [details.code, dispute.reasonCode],
        [details.stage, disputes.stage[dispute.stage]],
        [details.lost, dispute.lostAmount > 0 && <Amount amount={dispute.lostAmount} currency={currency} />],
        [details.reference, transaction.externalIdentifier],
        [details.buyer, <Buyer transaction={transaction} />],
        [details.service, dispute.paymentService.displayName],
        [details.providerId, <Copy value={dispute.paymentServiceDisputeId} />],
        [details.created, <Moment at={dispute.createdAt} />],
        [details.id, <Copy value={dispute.id} />],
      ]}
    />
  );
}

/** The buyer's name, which leads to a stored buyer. Absent without the scope that reads buyers. */
function Buyer({ transaction }: { readonly transaction: Partial<Found['transaction']> }) {
  const { buyer, buyerId } = transaction;
  const name = buyer?.billingDetails?.emailAddress ?? buyer?.displayName ?? texts.payments.noCustomer;
  return buyer === undefined || buyerId == null ? name : <Link to={`buyers/${buyerId}`}>{name}</Link>;
}
