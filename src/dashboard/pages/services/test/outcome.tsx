import { api } from '../../../app/data/api.ts';
import { mayChangePayments } from '../../../app/data/live.tsx';
import { useRead } from '../../../app/data/read.ts';
import { useRefresh } from '../../../app/data/refresh.ts';
import { Link } from '../../../app/route.tsx';
import { Button } from '../../../design/button.tsx';
import { Dialog } from '../../../design/form/dialog.tsx';
import { Bone } from '../../../design/pieces.tsx';
import { Problem } from '../../../design/problem.tsx';
import { Summary } from '../../../design/record/facts.tsx';
import { Amount, writeMoney } from '../../../design/value.tsx';
import { texts } from '../../../texts/texts.ts';
import { reasonOf } from '../../payment/decline.ts';
import { PAYMENT_LINE } from '../../payments/lines.tsx';
import { Status } from '../../payments/status.tsx';

const { test: words } = texts.services;

const OUTCOME = {
  ...PAYMENT_LINE,
  ...{ errorCode: true, rawResponseDescription: true, approvalUrl: true, authorizedAmount: true },
  capturable: { amount: true, currency: true },
} as const;

/** Reads the present outcome of a test payment, and the meanings of codes. */
const readOutcome = (id: string, signal: AbortSignal) =>
  api.query(
    { transaction: [{ id }, OUTCOME], declineCodes: { code: true, description: true, goesOn: true } },
    { signal },
  );

type OutcomeProps = { readonly id: string; readonly onAgain: () => void; readonly onClose: () => void };

/** The outcome of a test payment. It follows the payment, for example until its buyer has decided. */
export function TestOutcome({ id, onAgain, onClose }: OutcomeProps) {
  const { data, error, reload } = useRead(id, (signal) => readOutcome(id, signal));
  const payment = data?.transaction ?? null;
  const isOpen = payment?.status === 'PROCESSING' || payment?.status === 'BUYER_APPROVAL_PENDING';
  useRefresh(reload, mayChangePayments, { isMoving: isOpen });
  const foot = (
    <>
      <Button onPress={onAgain}>{words.again}</Button>
      {payment?.approvalUrl && isOpen && (
        <a className="button" href={payment.approvalUrl} target="_blank" rel="noreferrer">
          {words.approve}
        </a>
      )}
      <Link className="button primary" to={`payments/${id}`}>
        {words.show}
      </Link>
    </>
  );
  return (
    <Dialog title={words.outcomeTitle} onClose={onClose} foot={foot}>
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
