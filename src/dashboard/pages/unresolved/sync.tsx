import { useState } from 'react';
import { useAct } from '../../app/act.ts';
import { Button } from '../../design/button.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { Summary } from '../../design/facts.tsx';
import { Pill, type Tone } from '../../design/pieces.tsx';
import { Problem } from '../../design/problem.tsx';
import { writeMoney } from '../../design/value.tsx';
import { texts } from '../../texts/texts.ts';
import { syncPayment, type Answered } from './query.ts';

const { unresolved: words } = texts;

type SyncProps = { readonly transactionId: string; readonly onChanged: () => void };

/** Asks the provider about the pending operations of a payment, and says what changed. */
export function SyncButton({ transactionId, onChanged }: SyncProps) {
  const act = useAct();
  const [answered, setAnswered] = useState<Answered | null>(null);
  return (
    <>
      {act.error !== null && <Problem error={act.error} />}
      <Button
        icon="sync"
        onPress={() => act.run(() => syncPayment(transactionId), setAnswered)}
        isDisabled={act.isRunning}
      >
        {act.isRunning ? words.sync.running : words.sync.open}
      </Button>
      {answered && (
        <Answers
          answered={answered}
          onClose={() => {
            setAnswered(null);
            onChanged();
          }}
        />
      )}
    </>
  );
}

type AnswersProps = { readonly answered: Answered; readonly onClose: () => void };

function Answers({ answered, onClose }: AnswersProps) {
  const isOpen = answered.some(({ status }) => status === 'PENDING');
  return (
    <Dialog title={words.sync.title} onClose={onClose}>
      <div className="dialog-body">
        {answered.length === 0 ? (
          <p>{words.sync.nothing}</p>
        ) : (
          <Summary
            facts={answered.map((each) => [
              words.operation(texts.payment.timeline.kind[each.kind], writeMoney(each)),
              <State key={each.id} operation={each} />,
            ])}
          />
        )}
        <p className="quiet">{isOpen ? words.sync.later : words.sync.done}</p>
      </div>
      <div className="dialog-foot">
        <Button look="primary" onPress={onClose}>
          {texts.action.close}
        </Button>
      </div>
    </Dialog>
  );
}

const TONES: Readonly<Record<Answered[number]['status'], Tone>> = {
  ...{ PENDING: 'wait', SUCCEEDED: 'good', DECLINED: 'bad', FAILED: 'bad' },
};

function State({ operation: { status, unknown } }: { readonly operation: Answered[number] }) {
  return <Pill tone={TONES[status]}>{unknown ? words.still : words.status[status]}</Pill>;
}
