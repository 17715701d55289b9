import type { WebhookDelivery } from '../../../client/generated/schema.ts';
import type { Answer } from '../../../client/operations/selection.ts';
import { api } from '../../app/data/api.ts';
import { useRead } from '../../app/data/read.ts';
import { recordOf } from '../../app/data/record.ts';
import { isNew, useRefresh } from '../../app/data/refresh.ts';
import { Link } from '../../app/route.tsx';
import { useMay } from '../../app/session-context.tsx';
import { ActButton } from '../../design/form/act-button.tsx';
import { Bone, Copy, Pill } from '../../design/pieces.tsx';
import { Problem } from '../../design/problem.tsx';
import { Code, Json } from '../../design/record/code.tsx';
import { Moment } from '../../design/value.tsx';
import { texts } from '../../texts/texts.ts';
import { isUnderWay } from './state.ts';

const { delivery: words } = texts.webhooks;

const ATTEMPT = {
  ...{ number: true, startedAt: true, durationMs: true, lookupMs: true, connectMs: true, tlsMs: true },
  ...{ firstByteMs: true, statusCode: true, error: true, replyStart: true, probe: true },
} as const;

const DETAIL = {
  ...{ id: true, state: true, nextAttemptAt: true, expiresAt: true, attempts: ATTEMPT },
  webhookEndpoint: { id: true, url: true },
} as const;

/** A delivery with its attempts. */
type Detail = Answer<WebhookDelivery, typeof DETAIL>;

/** Reads a delivery with its event. Null after the removal of the event. */
async function readDelivery(eventId: string, deliveryId: string, signal: AbortSignal) {
  const selection = {
    ...{ id: true, name: true, payload: true },
    target: { type: true, id: true },
    deliveries: DETAIL,
  } as const;
  const { event } = await api.query({ event: [{ id: eventId }, selection] }, { signal });
  const delivery = event?.deliveries.find(({ id }) => id === deliveryId);
  return event && delivery ? { event, delivery } : null;
}

type DeliveryProps = {
  readonly eventId: string;
  readonly deliveryId: string;
  /** True on the page of the event's own record, which needs no link to itself. */
  readonly isOnRecord?: boolean;
  readonly onChanged: () => void;
};

/** A delivery: its attempts with their answers, and the request that they sent. */
export function Delivery({ eventId, deliveryId, isOnRecord = false, onChanged }: DeliveryProps) {
  const { data, error, isLoading, reload } = useRead(deliveryId, (signal) =>
    readDelivery(eventId, deliveryId, signal),
  );
  useRefresh(reload, isNew, { isMoving: data !== null && isUnderWay(data.delivery) });
  if (error !== null) return <Problem error={error} onRetry={reload} />;
  if (!data) return isLoading ? <Bone width={260} /> : <p className="quiet">{words.gone}</p>;
  const { event, delivery } = data;
  const record = recordOf(event);
  const change = (): void => {
    reload();
    onChanged();
  };
  return (
    <div className="delivery">
      <div className="actions">
        {delivery.webhookEndpoint && (
          <Resend eventId={eventId} endpointId={delivery.webhookEndpoint.id} onSent={change} />
        )}
        {record && !isOnRecord && (
          <Link className="button" to={record}>
            {words.record}
          </Link>
        )}
      </div>
      <Attempts delivery={delivery} />
      <h3>{words.request}</h3>
      <p className="request-line">
        <span className="mono">POST {delivery.webhookEndpoint?.url}</span>
        <span className="mono">
          webhook-id: <Copy value={event.id} />
        </span>
      </p>
      <Json label={words.request} text={event.payload} />
    </div>
  );
}

type ResendProps = { readonly eventId: string; readonly endpointId: string; readonly onSent: () => void };

/** Sends an event again. Shown to those who may. */
function Resend({ eventId, endpointId: webhookEndpointId, onSent }: ResendProps) {
  if (!useMay('webhook-subscriptions.write')) return null;
  const sent = { eventId, webhookEndpointId };
  return (
    <ActButton
      icon="send"
      run={(idempotencyKey) =>
        api.mutate({ replayDelivery: [{ ...sent, idempotencyKey }, { replayJob: { queuedCount: true } }] })
      }
      said={({ replayDelivery: { replayJob } }) =>
        (replayJob?.queuedCount ?? 0) > 0 ? words.resent : words.underWay
      }
      onDone={onSent}
    >
      {words.resend}
    </ActButton>
  );
}

function Attempts({ delivery }: { readonly delivery: Detail }) {
  const { attempts, nextAttemptAt, expiresAt } = delivery;
  return (
    <>
      {nextAttemptAt !== null && (
        <p className="quiet">
          {words.next}: <Moment at={nextAttemptAt} seconds /> · {words.until}: <Moment at={expiresAt} />
        </p>
      )}
      {attempts.length === 0 && <p className="quiet">{words.noAttempt}</p>}
      <ol className="attempts">
        {attempts.map((attempt) => (
          <li key={attempt.number}>
            <p className="attempt">
              <Reply attempt={attempt} />
              <strong>{words.attempt(attempt.number)}</strong>
              {attempt.probe && <Pill tone="calm">{words.probe}</Pill>}
              <span className="quiet">{timesOf(attempt)}</span>
              <span className="quiet">
                <Moment at={attempt.startedAt} seconds />
              </span>
            </p>
            {attempt.replyStart ? (
              <Code label={words.reply}>{attempt.replyStart}</Code>
            ) : (
              attempt.statusCode !== null && <p className="quiet">{words.emptyReply}</p>
            )}
          </li>
        ))}
      </ol>
    </>
  );
}

type Attempt = Detail['attempts'][number];

function Reply({ attempt: { statusCode, error } }: { readonly attempt: Attempt }) {
  if (statusCode === null) return <Pill tone="bad">{words.noAnswer(error ?? '')}</Pill>;
  return <Pill tone={statusCode >= 200 && statusCode < 300 ? 'good' : 'bad'}>{statusCode}</Pill>;
}

/** Says the whole time and those of its parts. */
function timesOf({ durationMs, lookupMs, connectMs, tlsMs, firstByteMs }: Attempt): string {
  const { part, ms } = words;
  const parts = [
    [part.lookup, lookupMs],
    [part.connect, connectMs],
    [part.tls, tlsMs],
    [part.firstByte, firstByteMs],
  ] as const;
  const known = parts.filter(([, time]) => time !== null).map(([label, time]) => `${label} ${time}`);
  return known.length === 0 ? ms(durationMs) : `${ms(durationMs)} (${known.join(', ')})`;
}
