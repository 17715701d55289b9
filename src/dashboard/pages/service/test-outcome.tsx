import { mayChangePayments } from '../../app/live.tsx';
import { useRead } from '../../app/read.ts';
import { useRefresh } from '../../app/refresh.ts';
import { Link } from '../../app/route.tsx';
import { Button } from '../../design/button.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { Summary } from '../../design/facts.tsx';
import { Bone } from '../../design/pieces.tsx';
import { Problem } from '../../design/problem.tsx';
import { Amount, writeMoney } from '../../design/value.tsx';
import { texts } from '../../texts/texts.ts';
import { Status } from '../payments/status.tsx';
import { reasonOf } from '../payment/decline.ts';
import { readOutcome } from './test-query.ts';

const { test: words } = texts.services;

type OutcomeProps = { readonly id: string; readonly onAgain: () => void; readonly onClose: () => void };

/** The outcome of a test payment. It follows the payment, for example until its buyer has decided. */
export function TestOutcome({ id, onAgain, onClose }: OutcomeProps) {
  const { data, error, reload } = useRead(id, (signal) => readOutcome(id, signal));
  const payment = data?.transaction ?? null;
  const isOpen = payment?.status === 'PROCESSING' || payment?.status === 'BUYER_APPROVAL_PENDING';
  useRefresh(reload, { concerns: mayChangePayments, isMoving: isOpen });
  return (
    <Dialog title={words.outcomeTitle} onClose={onClose}>
      <div className="dialog-body">
        {error !== null && <Problem error={error} onRetry={reload} />}
        {!data && error === null && <Bone width={260} />}
        {data && payment && (
          <div role="status" className="test-outcome">
            <Summary
              facts={[
                [words.amount, <Amount {...payment} />],
                [words.state, <Status {...payment} />],
              ]}
            />
            <p>{sentenceOf(payment, data.declineCodes)}</p>
          </div>
        )}
      </div>
      <div className="dialog-foot">
        <Button onPress={onAgain}>{words.again}</Button>
        {payment?.approvalUrl && isOpen && (
          <a className="button" href={payment.approvalUrl} target="_blank" rel="noreferrer">
            {words.approve}
          </a>
        )}
        <Link className="button primary" to={`payments/${id}`}>
          {words.show}
        </Link>
      </div>
    </Dialog>
  );
}

type Read = Awaited<ReturnType<typeof readOutcome>>;

/** Says the state of a payment in a sentence, as its page does. */
function sentenceOf(
  { status, errorCode, capturable }: NonNullable<Read['transaction']>,
  codes: Read['declineCodes'],
): string {
  const sentence = texts.payment.sentence[status];
  if (typeof sentence === 'string') return sentence;
  if (status === 'AUTHORIZATION_SUCCEEDED') return sentence(writeMoney(capturable));
  return sentence(reasonOf(codes, errorCode));
}
