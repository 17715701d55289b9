import { useState } from 'react';
import { useAct } from '../../app/data/act.ts';
import { api } from '../../app/data/api.ts';
import { Button } from '../../design/button.tsx';
import { Pill } from '../../design/pieces.tsx';
import { Problem } from '../../design/problem.tsx';
import { texts } from '../../texts/texts.ts';
import { changedFields, isReady, type Form, type Values } from './form.ts';

const { check: words } = texts.services;

type CheckProps = { readonly form: Form; readonly values: Values };

/** Asks the provider about the typed credentials before they are stored. */
export function CredentialCheck({ form, values }: CheckProps) {
  const fields = changedFields(form, values, 'fields');
  const typed = JSON.stringify([form.definition.id, fields]);
  // The answer is about these credentials alone, so other ones start anew.
  return <Check key={typed} {...{ form, values, fields }} />;
}

function Check({ form, values, fields }: CheckProps & { readonly fields: ReturnType<typeof changedFields> }) {
  const { isRunning, error, run } = useAct();
  const [answer, setAnswer] = useState<'accepted' | 'nothing' | null>(null);
  const input = {
    paymentServiceDefinitionId: form.definition.id,
    paymentServiceId: form.stored?.id ?? null,
    fields,
  };
  const check = (): void => {
    setAnswer(null);
    // The API stores nothing. Its answer is empty if the provider can check none of the credentials.
    run(
      () => api.mutate({ verifyCredentials: [{ input }, { verified: { checkedAt: true } }] }),
      ({ verifyCredentials: { verified } }) => setAnswer(verified?.checkedAt ? 'accepted' : 'nothing'),
    );
  };
  return (
    <div className="credential-check">
      <Button icon="shield" onPress={check} isDisabled={isRunning || !isReady(form, values)}>
        {isRunning ? words.running : words.open}
      </Button>
      <span role="status">
        {answer === 'accepted' && <Pill tone="good">{words.accepted}</Pill>}
        {answer === 'nothing' && <span className="quiet">{words.nothing}</span>}
      </span>
      {error !== null && <Problem error={error} />}
    </div>
  );
}
