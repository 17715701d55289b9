import type { RetryPlan, RetryPlanStatus } from '../../../client/generated/schema.ts';
import type { Answer } from '../../../client/operations/selection.ts';
import { api } from '../../app/data/api.ts';
import { useMay } from '../../app/session-context.tsx';
import { ActButton } from '../../design/form/act-button.tsx';
import { pillOf } from '../../design/pieces.tsx';
import { Moment } from '../../design/value.tsx';
import { texts } from '../../texts/texts.ts';

const words = texts.payment.retryPlan;

/** The state of a plan of later tries. */
const PlanState = pillOf<RetryPlanStatus>(words.status, {
  ...{ ACTIVE: 'wait', SUCCEEDED: 'good', EXHAUSTED: 'bad', STOPPED: 'calm', ENDED: 'bad' },
});

/** The fields of a plan that a payment shows. */
export const RETRY_PLAN = {
  ...{ status: true, reason: true, nextTryAt: true, endsAt: true },
  tries: { id: true },
} as const;

type CardProps = {
  readonly payment: {
    readonly id: string;
    readonly retryPlan: Answer<RetryPlan, typeof RETRY_PLAN> | null;
  };
  readonly onChanged: () => void;
};

/** The plan of the later tries of a payment, with a button that stops it. Absent without a plan. */
export function RetryPlanCard({ payment: { id, retryPlan }, onChanged }: CardProps) {
  const mayStop = useMay('transactions.write');
  if (!retryPlan) return null;
  const { status, reason, nextTryAt, endsAt, tries } = retryPlan;
  return (
    <section className="card case">
      <h2>
        {words.title}
        <PlanState of={status} />
      </h2>
      {reason && <p>{words.reason[reason]}</p>}
      {nextTryAt !== null && (
        <p>
          {words.next} <Moment at={nextTryAt} />
        </p>
      )}
      <p className="quiet">
        {words.tries(String(tries.length))}
        {status === 'ACTIVE' && endsAt !== null && (
          <>
            {' · '}
            {words.ends} <Moment at={endsAt} />
          </>
        )}
      </p>
      {status === 'ACTIVE' && mayStop && (
        <div className="actions">
          <ActButton
            icon="cancel"
            run={() => api.mutate({ stopRetryPlan: [{ id }, { transaction: { id: true } }] })}
            said={words.stopped}
            onDone={onChanged}
          >
            {words.stop}
          </ActButton>
        </div>
      )}
    </section>
  );
}
