import { useEffect, useState } from 'react';
import { useSaidAct } from '../../app/data/act.ts';
import { api } from '../../app/data/api.ts';
import { Button } from '../../design/button.tsx';
import { Dialog } from '../../design/form/dialog.tsx';
import { Pill } from '../../design/pieces.tsx';
import { Problem } from '../../design/problem.tsx';
import { Code } from '../../design/record/code.tsx';
import { texts } from '../../texts/texts.ts';
import type { EndpointDialogProps } from './endpoint/endpoint-dialogs.tsx';

type Attempt = Awaited<ReturnType<typeof sendTest>>;

const { test: words } = texts.webhooks;

/** Posts a test event, and waits for the answer. */
async function sendTest(id: string) {
  const selection = { statusCode: true, error: true, durationMs: true, replyStart: true } as const;
  return (await api.mutate({ sendTestEvent: [{ id }, { attempt: selection }] })).sendTestEvent.attempt;
}

/** Posts a test event at once, and shows the answer. */
export function TestDialog({ endpoint, onClose, onChanged }: EndpointDialogProps) {
  const { run, isRunning, error } = useSaidAct(onChanged);
  const [attempt, setAttempt] = useState<Attempt>(null);
  const send = (): void => {
    setAttempt(null);
    run(() => sendTest(endpoint.id), undefined, setAttempt);
  };
  useEffect(() => {
    send();
    // The dialog opens with the first test.
  }, []);
  return (
    <Dialog
      title={words.title}
      onClose={onClose}
      foot={
        <>
          <Button onPress={onClose}>{texts.action.close}</Button>
          <Button look="primary" onPress={send} isDisabled={isRunning}>
            {words.again}
          </Button>
        </>
      }
    >
      <p className="mono url-whole">{endpoint.url}</p>
      <div role="status">
        {isRunning && <p className="quiet">{words.running}</p>}
        {attempt && <Result attempt={attempt} />}
      </div>
      {attempt?.replyStart && <Code label={texts.webhooks.delivery.reply}>{attempt.replyStart}</Code>}
      {error !== null && <Problem error={error} />}
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
