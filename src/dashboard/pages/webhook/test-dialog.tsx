import { useEffect, useState } from 'react';
import { useAct } from '../../app/act.ts';
import { Button } from '../../design/button.tsx';
import { Code } from '../../design/code.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { Pill } from '../../design/pieces.tsx';
import { Problem } from '../../design/problem.tsx';
import { texts } from '../../texts/texts.ts';
import type { EndpointDialogProps } from './dialog-props.ts';
import { sendTest } from './query.ts';

type Attempt = Awaited<ReturnType<typeof sendTest>>;

const { test: words } = texts.webhooks;

/** Posts a test event at once, and shows the answer. */
export function TestDialog({ endpoint, onClose, onChanged }: EndpointDialogProps) {
  const { run, isRunning, error } = useAct();
  const [attempt, setAttempt] = useState<Attempt>(null);
  const send = (): void => {
    setAttempt(null);
    run(
      () => sendTest(endpoint.id),
      (answer) => {
        setAttempt(answer);
        onChanged();
      },
    );
  };
  useEffect(() => {
    send();
    // The dialog opens with the first test.
  }, []);
  return (
    <Dialog title={words.title} onClose={onClose}>
      <div className="dialog-body">
        <p className="mono url-whole">{endpoint.url}</p>
        <div role="status">
          {isRunning && <p className="quiet">{words.running}</p>}
          {attempt && <Result attempt={attempt} />}
        </div>
        {attempt?.replyStart && <Code label={texts.webhooks.delivery.reply}>{attempt.replyStart}</Code>}
        {error !== null && <Problem error={error} />}
      </div>
      <div className="dialog-foot">
        <Button onPress={onClose}>{texts.action.close}</Button>
        <Button look="primary" onPress={send} isDisabled={isRunning}>
          {words.again}
        </Button>
      </div>
    </Dialog>
  );
}

function Result({ attempt }: { readonly attempt: NonNullable<Attempt> }) {
  const { statusCode, error, durationMs } = attempt;
  const isGood = statusCode !== null && statusCode >= 200 && statusCode < 300;
  const { delivery } = texts.webhooks;
  return (
    <p className="attempt">
      <Pill tone={isGood ? 'good' : 'bad'}>{statusCode ?? delivery.noAnswer(error ?? '')}</Pill>
      <span>
        {statusCode === null
          ? words.none(error ?? '', durationMs)
          : words[isGood ? 'good' : 'bad'](statusCode, durationMs)}
      </span>
    </p>
  );
}
