import type { DisputeResponseStatus } from '../../../client/generated/schema.ts';
import { isAboutPayment, useRecord } from '../../app/data/refresh.ts';
import { Link } from '../../app/route.tsx';
import { useMay } from '../../app/session-context.tsx';
import { Copy, pillOf } from '../../design/pieces.tsx';
import { Card, CardList } from '../../design/record/card.tsx';
import { Facts } from '../../design/record/facts.tsx';
import { RecordPage } from '../../design/record/page.tsx';
import { Amount, Moment, writeMoney } from '../../design/value.tsx';
import { texts } from '../../texts/texts.ts';
import { PaymentLines } from '../payments/lines.tsx';
import { Actions } from './actions.tsx';
import { readDispute, type Dispute as Found } from './query.ts';
import { Deadline, DisputeState, isDue } from './state.tsx';
import { reasonOf, sentenceOf } from './words.ts';

const { disputes } = texts;
const { help, response: words } = disputes;

/** The page of a dispute: its deadline, what helps against it, the responses and the payment. */
export function Dispute({ id }: { readonly id: string }) {
  const mayReadBuyers = useMay('buyers.read');
  const read = useRecord(id, (signal) => readDispute(id, mayReadBuyers, signal), {
    concerns: (events, dispute) => isAboutPayment(dispute?.transaction.id)(events),
  });
  return (
    <RecordPage
      read={read}
      list="disputes"
      words={disputes}
      title={(dispute) => disputes.name(writeMoney(dispute))}
      head={(dispute) => ({
        title: <Amount {...dispute} />,
        state: <DisputeState of={dispute.status} />,
        sentence: sentenceOf(dispute),
        actions: <Actions dispute={dispute} onChanged={read.reload} />,
      })}
      main={(dispute) => (
        <>
          {isDue(dispute) && (
            <Card title={help.title}>
              <p className="card-note">{help.by[dispute.reason]}</p>
            </Card>
          )}
          <Responses responses={dispute.responses} />
          <PaymentLines title={disputes.payment} empty="" payments={[dispute.transaction]} />
        </>
      )}
      side={(dispute) => <Details dispute={dispute} />}
    />
  );
}

const State = pillOf<DisputeResponseStatus>(disputes.response.status, {
  ...{ PENDING: 'wait', SUCCEEDED: 'good', FAILED: 'bad' },
});

/** The responses of the merchant to a dispute, newest first. */
const Responses = ({ responses }: Pick<Found, 'responses'>) => (
  <CardList title={words.title} rows={responses} empty={words.empty} isTall>
    {({ kind, stage, status, errorCode, acceptedAt, createdAt }) => (
      <>
        <div className="event">
          <strong>{words.kind[kind]}</strong>
          <span className="quiet">{disputes.stage[stage]}</span>
          <State of={status} />
          <span className="quiet">
            <Moment at={createdAt} seconds />
          </span>
        </div>
        {errorCode !== null && <p className="quiet">{reasonOf(errorCode)}</p>}
        {status === 'PENDING' && <p className="quiet">{acceptedAt === null ? words.later : words.booked}</p>}
      </>
    )}
  </CardList>
);

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
