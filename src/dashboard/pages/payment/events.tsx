import { Disclosure } from '../../design/disclosure.tsx';
import { Moment } from '../../design/value.tsx';
import { texts } from '../../texts/texts.ts';
import { Delivery } from '../webhook/delivery.tsx';
import { DeliveryState } from '../webhooks/state.tsx';
import type { Payment } from './query.ts';

type Event = Payment['feedEvents']['nodes'][number];
type Delivered = Event['deliveries'][number];

type EventsProps = { readonly events: readonly Event[]; readonly onChanged: () => void };

/** The events of a payment, newest first, each with the deliveries to webhook endpoints. */
export function Events({ events, onChanged }: EventsProps) {
  return (
    <section className="card">
      <header>
        <h2>{texts.payment.events.title}</h2>
      </header>
      {events.length === 0 && <p className="card-note">{texts.payment.events.empty}</p>}
      <ul className="events">
        {events.toReversed().map((event) => (
          <li key={event.id}>
            <div className="event">
              <code className="mono">{event.name}</code>
              <span className="quiet">
                <Moment at={event.createdAt} seconds />
              </span>
            </div>
            <Deliveries eventId={event.id} deliveries={event.deliveries} onChanged={onChanged} />
          </li>
        ))}
      </ul>
    </section>
  );
}

type DeliveriesProps = {
  readonly eventId: string;
  readonly deliveries: readonly Delivered[] | undefined;
  readonly onChanged: () => void;
};

/** Absent without the scope that reads webhook endpoints. */
function Deliveries({ eventId, deliveries, onChanged }: DeliveriesProps) {
  if (!deliveries || deliveries.length === 0) return null;
  return (
    <ul className="deliveries">
      {deliveries.map(({ id, state, attemptCount, webhookEndpoint }) => (
        <li key={id}>
          <Disclosure
            summary={
              <>
                <DeliveryState state={state} />
                <span className="url">{webhookEndpoint?.url ?? texts.payment.events.noDelivery}</span>
                <span className="quiet">{texts.webhooks.delivery.attempts(attemptCount)}</span>
              </>
            }
          >
            {() => <Delivery eventId={eventId} deliveryId={id} isOnRecord onChanged={onChanged} />}
          </Disclosure>
        </li>
      ))}
    </ul>
  );
}
