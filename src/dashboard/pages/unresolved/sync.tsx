import { useState } from 'react';
import { api } from '../../app/data/api.ts';
import { Button } from '../../design/button.tsx';
import { ActButton } from '../../design/form/act-button.tsx';
import { Dialog } from '../../design/form/dialog.tsx';
import { Pill, type Tone } from '../../design/pieces.tsx';
import { Summary } from '../../design/record/facts.tsx';
import { writeMoney } from '../../design/value.tsx';
import { texts } from '../../texts/texts.ts';

const { unresolved: words } = texts;

const ANSWERED = { id: true, kind: true, amount: true, currency: true, status: true } as const;

/** Asks the provider about all pending operations of a payment. Answers the operations, with their present status. */
async function syncPayment(id: string) {
  const { syncTransaction } = await api.mutate({
    syncTransaction: [{ id }, { operations: { ...ANSWERED, unknown: { cause: true } } }],
  });
  return syncTransaction.operations;
}

/** The operations that a provider was asked about. */
type Answered = Awaited<ReturnType<typeof syncPayment>>;

type SyncProps = { readonly transactionId: string; readonly onChanged: () => void };

/** Asks the provider about the pending operations of a payment, and says what changed. */
export function SyncButton({ transactionId, onChanged }: SyncProps) {
  const [answered, setAnswered] = useState<Answered | null>(null);
  const close = (): void => {
    setAnswered(null);
    onChanged();
  };
  return (
    <>
      <ActButton
        icon="sync"
        running={words.sync.running}
        run={() => syncPayment(transactionId)}
        onDone={setAnswered}
      >
        {words.sync.open}
      </ActButton>
      {answered && <Answers answered={answered} onClose={close} />}
    </>
  );
}

type AnswersProps = { readonly answered: Answered; readonly onClose: () => void };

function Answers({ answered, onClose }: AnswersProps) {
  const isOpen = answered.some(({ status }) => status === 'PENDING');
  return (
    <Dialog
      title={words.sync.title}
      onClose={onClose}
      foot={
        <Button look="primary" onPress={onClose}>
          {texts.action.close}
        </Button>
      }
    >
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
    </Dialog>
  );
}

const TONES: Readonly<Record<Answered[number]['status'], Tone>> = {
  ...{ PENDING: 'wait', SUCCEEDED: 'good', DECLINED: 'bad', FAILED: 'bad' },
};

function State({ operation: { status, unknown } }: { readonly operation: Answered[number] }) {
  return <Pill tone={TONES[status]}>{unknown ? words.still : words.status[status]}</Pill>;
}
