import { useMay } from '../../app/session-context.tsx';
import { Icon, type IconName } from '../../design/icon.tsx';
import { Pill, type Tone } from '../../design/pieces.tsx';
import { Card } from '../../design/record/card.tsx';
import { Moment, writeMoney } from '../../design/value.tsx';
import { texts } from '../../texts/texts.ts';
import { ResolveButton } from '../unresolved/resolve.tsx';
import { reasonOf } from './decline.ts';
import type { Payment } from './query.ts';

type Operation = Payment['operations'][number];

const ICONS: Readonly<Record<Operation['kind'], IconName>> = {
  ...{ AUTHORIZE: 'shield', INCREASE: 'plus', REAUTHORIZE: 'sync', CAPTURE: 'capture', REFUND: 'refund' },
  ...{ VOID: 'cancel', CANCEL: 'cancel', RELEASE: 'cancel', REDEEM: 'capture', REVERSE: 'refund' },
};

const TONES: Readonly<Record<Operation['status'], Tone>> = {
  ...{ SUCCEEDED: 'good', DECLINED: 'bad', FAILED: 'bad', PENDING: 'wait' },
};

type TimelineProps = { readonly payment: Payment; readonly onChanged: () => void };

/** The operations of a payment, newest first, down to its creation. */
export function Timeline({ payment, onChanged }: TimelineProps) {
  const { timeline } = texts.payment;
  return (
    <Card title={timeline.title}>
      <ol className="stops timeline">
        {payment.operations.map((operation) => (
          <Entry key={operation.id} payment={payment} operation={operation} onChanged={onChanged} />
        ))}
        <li>
          <span className="dot">
            <Icon name="plus" size={14} />
          </span>
          <div>
            <h3>{timeline.created(writeMoney(payment))}</h3>
            <p className="quiet">
              <Moment at={payment.createdAt} seconds />
            </p>
          </div>
        </li>
      </ol>
    </Card>
  );
}

type EntryProps = TimelineProps & { readonly operation: Operation };

function Entry({ payment, operation, onChanged }: EntryProps) {
  const { timeline } = texts.payment;
  const { kind, status, errorCode, rawResponseDescription, settledAt, createdAt } = operation;
  const outcome = timeline.outcome[status];
  const mayWrite = useMay('transactions.write');
  return (
    <li data-tone={TONES[status]}>
      <span className="dot">
        <Icon name={status === 'PENDING' ? 'clock' : ICONS[kind]} size={14} />
      </span>
      <div>
        <h3>
          {timeline.entry(timeline.kind[kind], writeMoney(operation), outcome)}
          {operation.origin === 'PROVIDER' && <Pill tone="info">{timeline.elsewhere}</Pill>}
        </h3>
        {errorCode !== null && <p>{reasonOf(payment.declineCodes, errorCode)}</p>}
        {operation.unknown && <p>{timeline.unknown}</p>}
        {errorCode !== null && rawResponseDescription !== null && (
          <p className="quiet">{rawResponseDescription}</p>
        )}
        <p className="quiet">{[...notesOf(payment, operation)].join(' · ')}</p>
        <p className="quiet">
          <Moment at={settledAt ?? createdAt} seconds />
        </p>
        {operation.unknown && mayWrite && (
          <div className="actions">
            <ResolveButton operation={operation} onChanged={onChanged} />
          </div>
        )}
      </div>
    </li>
  );
}

/** The merchant's reason, the service, the reason for its choice, the provider's code and the actor. */
function* notesOf({ attempts, refunds }: Payment, operation: Operation): Generator<string> {
  const { timeline } = texts.payment;
  const { paymentService, rawResponseCode, actor, id } = operation;
  const reason = refunds.find((each) => each.id === id)?.reason ?? null;
  if (reason !== null) yield timeline.reason(reason);
  yield timeline.at(paymentService.displayName);
  const attempt = attempts.find((each) => each.id === id);
  if (attempt && attempts.length > 1) yield timeline.choice[attempt.choice];
  if (rawResponseCode !== null) yield timeline.code(rawResponseCode);
  if (actor?.kind === 'PERSON') yield timeline.actor.PERSON(actor.subject ?? '');
  else if (actor) yield timeline.actor[actor.kind];
}
