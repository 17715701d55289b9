import { api } from '../../app/data/api.ts';
import { useRead } from '../../app/data/read.ts';
import { recordOf } from '../../app/data/record.ts';
import { isNew, useRefresh } from '../../app/data/refresh.ts';
import { Link } from '../../app/route.tsx';
import { useMay } from '../../app/session-context.tsx';
import { Bone, Copy } from '../../design/pieces.tsx';
import { Problem } from '../../design/problem.tsx';
import { Json } from '../../design/record/code.tsx';
import { texts } from '../../texts/texts.ts';
import { DeliveryState, isUnderWay } from '../webhooks/state.ts';
import type { Event } from './query.ts';

const { events: words } = texts;

/** Reads the payload of an event, which is many times larger than its line. Null after the removal of the event. */
const readEvent = async (id: string, signal: AbortSignal) =>
  (await api.query({ event: [{ id }, { payload: true }] }, { signal })).event;

const DELIVERY = {
  ...{ id: true, state: true, attemptCount: true },
  webhookEndpoint: { id: true, url: true },
} as const;

async function readDeliveries(id: string, signal: AbortSignal) {
  const { event } = await api.query({ event: [{ id }, { deliveries: DELIVERY }] }, { signal });
  return event?.deliveries ?? [];
}

/** An event in full: its record, its deliveries and its payload. */
export function Opened({ event }: { readonly event: Event }) {
  const { data, error, isLoading, reload } = useRead(event.id, (signal) => readEvent(event.id, signal));
  const record = data && recordOf({ ...event, payload: data.payload });
  return (
    <div className="delivery">
      <p className="event-ids">
        {words.id}: <Copy value={event.id} />
      </p>
      {record !== null && (
        <div className="actions">
          <Link className="button" to={record}>
            {words.open}
          </Link>
        </div>
      )}
      {useMay('webhook-subscriptions.read') && <Deliveries eventId={event.id} />}
      {error !== null && <Problem error={error} onRetry={reload} />}
      {data && <Json label={words.payload} text={data.payload} />}
      {!data && isLoading && <Bone width={320} />}
    </div>
  );
}

function Deliveries({ eventId }: { readonly eventId: string }) {
  const { data, reload } = useRead(eventId, (signal) => readDeliveries(eventId, signal));
  useRefresh(reload, isNew, { isMoving: data?.some(isUnderWay) ?? false });
  if (!data || data.length === 0) return null;
  return (
    <ul className="deliveries">
      {data.map(({ id, state, webhookEndpoint, attemptCount }) => (
        <li key={id}>
          <DeliveryState of={state} />
          <span className="url">
            {webhookEndpoint ? (
              <Link to={`webhooks/${webhookEndpoint.id}`}>{webhookEndpoint.url}</Link>
            ) : (
              texts.payment.events.noDelivery
            )}
          </span>
          <span className="quiet">{texts.webhooks.delivery.attempts(attemptCount)}</span>
        </li>
      ))}
    </ul>
  );
}
