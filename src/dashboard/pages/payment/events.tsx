import type { Pages } from '../../app/data/pages.ts';
import { Disclosure } from '../../design/record/disclosure.tsx';
import { Moment } from '../../design/value.tsx';
import { texts } from '../../texts/texts.ts';
import { Delivery } from '../webhooks/delivery.tsx';
import { DeliveryState } from '../webhooks/state.ts';
import { Lines } from './lines.tsx';
import type { Event } from './lists.ts';

type Delivered = Event['deliveries'][number];

type EventsProps = { readonly list: Pages<Event>; readonly onChanged: () => void };

/** The events of a payment, newest first, each with the deliveries to webhook endpoints. */
export function Events({ list, onChanged }: EventsProps) {
  return (
    <Lines title={texts.payment.events.title} empty={texts.payment.events.empty} list={list}>
      {(event) => (
        <>
          <div className="event">
            <code className="mono">{event.name}</code>
            <span className="quiet">
              <Moment at={event.createdAt} seconds />
            </span>
          </div>
          <Deliveries eventId={event.id} deliveries={event.deliveries} onChanged={onChanged} />
        </>
      )}
    </Lines>
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
                <DeliveryState of={state} />
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
