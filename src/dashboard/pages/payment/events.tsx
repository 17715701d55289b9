import { Pill, type Tone } from '../../design/pieces.tsx';
import { Moment } from '../../design/value.tsx';
import { texts } from '../../texts/texts.ts';
import type { Payment } from './query.ts';

type Event = Payment['feedEvents']['nodes'][number];
type Delivery = Event['deliveries'][number];

const TONES: Readonly<Record<Delivery['state'], Tone>> = {
  ...{ PENDING: 'wait', IN_FLIGHT: 'wait', DELIVERED: 'good', EXPIRED: 'bad', CANCELLED: 'calm' },
};

/** The events of a payment, newest first, each with the deliveries to webhook endpoints. */
export function Events({ events }: { readonly events: readonly Event[] }) {
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
            <Deliveries deliveries={event.deliveries} />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Absent without the scope that reads webhook endpoints. */
function Deliveries({ deliveries }: { readonly deliveries: readonly Delivery[] | undefined }) {
  if (!deliveries || deliveries.length === 0) return null;
  return (
    <ul className="deliveries">
      {deliveries.map(({ id, state, attemptCount, webhookEndpoint }) => (
        <li key={id}>
          <Pill tone={TONES[state]}>{texts.payment.events.state[state]}</Pill>
          <span className="url">{webhookEndpoint?.url ?? texts.payment.events.noDelivery}</span>
          <span className="quiet">{texts.payment.events.attempts(attemptCount)}</span>
        </li>
      ))}
    </ul>
  );
}
