import { useRead } from '../../app/read.ts';
import { useRefresh } from '../../app/refresh.ts';
import { recordOf } from '../../app/record.ts';
import { Link } from '../../app/route.tsx';
import { useMay } from '../../app/session-context.tsx';
import { Json } from '../../design/code.tsx';
import { Bone, Copy } from '../../design/pieces.tsx';
import { Problem } from '../../design/problem.tsx';
import { texts } from '../../texts/texts.ts';
import { DeliveryState } from '../webhooks/state.tsx';
import { readDeliveries, readPayload, type Event } from './query.ts';

const { events: words } = texts;

type OpenedProps = { readonly event: Event };

/** An event in full: its record, its deliveries and its payload. */
export function Opened({ event }: OpenedProps) {
  const {
    data: payload,
    error,
    isLoading,
    reload,
  } = useRead(event.id, (signal) => readPayload(event.id, signal));
  const record = payload === null ? null : recordOf({ ...event, payload });
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
      {payload !== null && <Json label={words.payload} text={payload} />}
      {payload === null && isLoading && <Bone width={320} />}
    </div>
  );
}

function Deliveries({ eventId }: { readonly eventId: string }) {
  const { data, reload } = useRead(eventId, (signal) => readDeliveries(eventId, signal));
  const isMoving = data?.some(({ state }) => state === 'PENDING' || state === 'IN_FLIGHT') ?? false;
  useRefresh(reload, { concerns: (events) => events.length === 0, isMoving });
  if (!data || data.length === 0) return null;
  return (
    <ul className="deliveries">
      {data.map(({ id, state, webhookEndpoint, attemptCount }) => (
        <li key={id}>
          <DeliveryState state={state} />
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
