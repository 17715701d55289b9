import { paymentsOf } from '../../app/live.tsx';
import { useRead } from '../../app/read.ts';
import { useRefresh } from '../../app/refresh.ts';
import { useMay } from '../../app/session-context.tsx';
import { Copy } from '../../design/pieces.tsx';
import { Record } from '../../design/record.tsx';
import { Amount, writeMoney } from '../../design/value.tsx';
import { texts } from '../../texts/texts.ts';
import { DisputeLines } from '../disputes/lines.tsx';
import { RefundRequestLines } from '../refund-requests/lines.tsx';
import { Status } from '../payments/status.tsx';
import { PaymentRoute } from '../routing/payment-route.tsx';
import { SettlementLines } from '../settlements/lines.tsx';
import { Actions } from './actions.tsx';
import { Amounts, Details, FraudCheck, ThreeDSecure } from './details.tsx';
import { Events } from './events.tsx';
import { History } from './history.tsx';
import { readPayment, type Payment as Found } from './query.ts';
import { Timeline } from './timeline.tsx';
import { sentencesOf } from './words.ts';

/** The page of a payment. It reads again when an event of the payment comes, and while a delivery is under way. */
export function Payment({ id }: { readonly id: string }) {
  const readable = {
    buyers: useMay('buyers.read'),
    webhooks: useMay('webhook-subscriptions.read'),
    disputes: useMay('disputes.read'),
    settlements: useMay('settlements.read'),
    antiFraud: useMay('anti-fraud-services.read'),
  };
  const read = useRead(id, (signal) => readPayment(id, readable, signal), { forget: true });
  useRefresh(read.reload, {
    concerns: (events) => events.length === 0 || paymentsOf(events).has(id),
    isMoving: read.data !== null && hasDeliveries(read.data),
  });
  return (
    <Record
      read={read}
      back={{ to: 'payments', label: texts.payment.back }}
      missing={{ title: texts.payment.missing, text: texts.payment.missingText }}
      title={(payment) => texts.payment.title(writeMoney(payment))}
      head={(payment) => ({
        title: <Amount {...payment} />,
        state: <Status {...payment} />,
        sentence: sentencesOf(payment).join(' '),
        note: <Copy value={payment.id} />,
        actions: <Actions payment={payment} onChanged={read.reload} />,
      })}
      main={(payment) => (
        <>
          <RefundRequestLines requests={payment.refundApprovals} onChanged={read.reload} />
          <DisputeLines disputes={(payment as Partial<Found>).disputes} />
          <Timeline payment={payment} onChanged={read.reload} />
          <PaymentRoute payment={payment} />
          <SettlementLines settlement={(payment as Partial<Found>).settlement} />
          <Events events={payment.feedEvents.nodes} onChanged={read.reload} />
          <History entries={payment.events.nodes} />
        </>
      )}
      side={(payment) => (
        <>
          <Amounts payment={payment} />
          <FraudCheck payment={payment} />
          <Details payment={payment} />
          <ThreeDSecure payment={payment} />
        </>
      )}
    />
  );
}

/** True while a delivery of the payment's events is on its way. Deliveries are absent without their scope. */
const hasDeliveries = ({ feedEvents }: Found): boolean =>
  feedEvents.nodes.some(({ deliveries }: Partial<Found['feedEvents']['nodes'][number]>) =>
    deliveries?.some(({ state }) => state === 'PENDING' || state === 'IN_FLIGHT'),
  );
