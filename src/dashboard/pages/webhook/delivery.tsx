import { useAct } from '../../app/act.ts';
import { useRead } from '../../app/read.ts';
import { recordOf } from '../../app/record.ts';
import { useRefresh } from '../../app/refresh.ts';
import { Link } from '../../app/route.tsx';
import { useMay } from '../../app/session-context.tsx';
import { Button } from '../../design/button.tsx';
import { Code, Json } from '../../design/code.tsx';
import { Bone, Copy, Pill } from '../../design/pieces.tsx';
import { Problem } from '../../design/problem.tsx';
import { useToast } from '../../design/toast.tsx';
import { Moment } from '../../design/value.tsx';
import { texts } from '../../texts/texts.ts';
import { readDelivery, resend, type Detail } from './query.ts';

const { delivery: words } = texts.webhooks;

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
  const isMoving = data !== null && ['PENDING', 'IN_FLIGHT'].includes(data.delivery.state);
  useRefresh(reload, { concerns: (events) => events.length === 0, isMoving });
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
function Resend({ eventId, endpointId, onSent }: ResendProps) {
  const act = useAct();
  const toast = useToast();
  if (!useMay('webhook-subscriptions.write')) return null;
  const send = (): void =>
    act.run(
      (key) => resend({ eventId, webhookEndpointId: endpointId }, key),
      (queued) => {
        toast('good', queued > 0 ? words.resent : words.underWay);
        onSent();
      },
    );
  return (
    <>
      {act.error !== null && <Problem error={act.error} />}
      <Button icon="send" onPress={send} isDisabled={act.isRunning}>
        {words.resend}
      </Button>
    </>
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
              <Answer attempt={attempt} />
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

function Answer({ attempt: { statusCode, error } }: { readonly attempt: Attempt }) {
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
