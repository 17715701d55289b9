import { usePages } from '../../app/data/pages.ts';
import { useRead } from '../../app/data/read.ts';
import { isAboutPayment, useRefresh } from '../../app/data/refresh.ts';
import { useMay } from '../../app/session-context.tsx';
import { Copy } from '../../design/pieces.tsx';
import { RecordPage } from '../../design/record/page.tsx';
import { Amount, writeMoney } from '../../design/value.tsx';
import { texts } from '../../texts/texts.ts';
import { DifferenceNotice } from '../differences/lines.tsx';
import { DisputeLines } from '../disputes/lines.tsx';
import { Status } from '../payments/status.tsx';
import { RefundRequestLines } from '../refund-requests/lines.tsx';
import { RetryPlanCard } from '../retry-plans/card.tsx';
import { PaymentRoute } from '../routing/payment-route.tsx';
import { SettlementLines } from '../settlements/lines.tsx';
import { isUnderWay } from '../webhooks/state.ts';
import { Actions } from './actions.tsx';
import { Amounts, Details, FraudCheck, ThreeDSecure } from './details.tsx';
import { Events } from './events.tsx';
import { History } from './history.tsx';
import { readEvents, readHistory, type Event } from './lists.ts';
import { CartLines, OrderFacts, SplitLines } from './order.tsx';
import { readPayment, type Payment as Found } from './query.ts';
import { Timeline } from './timeline.tsx';
import { sentencesOf } from './words.ts';

/** The page of a payment. It reads again when an event of the payment comes, and while a delivery is under way. */
export function Payment({ id }: { readonly id: string }) {
  const readable = {
    buyers: useMay('buyers.read'),
    disputes: useMay('disputes.read'),
    settlements: useMay('settlements.read'),
    antiFraud: useMay('anti-fraud-services.read'),
    rules: useMay('routing-rules.read'),
  };
  const read = useRead(id, (signal) => readPayment(id, readable, signal), FORGET);
  const mayReadDeliveries = useMay('webhook-subscriptions.read');
  const events = usePages(id, (ask) => readEvents(id, mayReadDeliveries, ask), FORGET);
  const history = usePages(id, (ask) => readHistory(id, ask), FORGET);
  const reload = (): void => [read, events, history].forEach((each) => each.reload());
  useRefresh(reload, isAboutPayment(id), { isMoving: events.data?.rows.some(isMoving) ?? false });
  return (
    <RecordPage
      read={read}
      list="payments"
      words={texts.payment}
      title={(payment) => texts.payment.title(writeMoney(payment))}
      head={(payment) => ({
        title: <Amount {...payment} />,
        state: <Status {...payment} />,
        sentence: sentencesOf(payment).join(' '),
        note: <Copy value={payment.id} />,
        actions: <Actions payment={payment} onChanged={reload} />,
      })}
      main={(payment) => (
        <>
          <DifferenceNotice open={payment.openDifferences} />
          <RefundRequestLines requests={payment.refundApprovals} onChanged={reload} />
          <RetryPlanCard payment={payment} onChanged={reload} />
          <DisputeLines disputes={(payment as Partial<Found>).disputes} />
          <Timeline payment={payment} onChanged={reload} />
          <CartLines payment={payment} />
          <SplitLines payment={payment} />
          <PaymentRoute payment={payment} />
          <SettlementLines settlement={(payment as Partial<Found>).settlement} />
          <Events list={events} onChanged={reload} />
          <History list={history} />
        </>
      )}
      side={(payment) => (
        <>
          <Amounts payment={payment} />
          <OrderFacts payment={payment} />
          <FraudCheck payment={payment} />
          <Details payment={payment} />
          <ThreeDSecure payment={payment} />
        </>
      )}
    />
  );
}

/** Another address is another payment. */
const FORGET = { forget: true } as const;

/** True while a delivery of an event is on its way. Deliveries are absent without their scope. */
const isMoving = ({ deliveries }: Partial<Event>): boolean => deliveries?.some(isUnderWay) ?? false;
