import { useState } from 'react';
import { useAct } from '../../app/act.ts';
import { FormDialog } from '../../design/form-dialog.tsx';
import { Pill } from '../../design/pieces.tsx';
import { texts } from '../../texts/texts.ts';
import { ConditionFields } from './fields.tsx';
import { conditionsInput, isBadAmount, NO_CONDITIONS } from './form.ts';
import { explainRules, type Explanation, type Rule } from './query.ts';
import { effectOf, outcomeOf, toneOf } from './words.ts';

const { threeDS: words } = texts;

type TryProps = { readonly rules: readonly Rule[]; readonly onClose: () => void };

/** Says which rule a payment would meet, and why not the rules before it. Creates no payment. */
export function TryDialog({ rules, onClose }: TryProps) {
  const { try: text } = words;
  const act = useAct();
  const [payment, setPayment] = useState(NO_CONDITIONS);
  const [explanation, setExplanation] = useState<Explanation | null>(null);
  const change = (next: typeof payment): void => {
    setPayment(next);
    setExplanation(null);
  };
  return (
    <FormDialog
      title={text.title}
      isWide
      act={act}
      submit={text.submit}
      cancel={texts.action.close}
      isReady={!isBadAmount(payment)}
      onSubmit={() => act.run(() => explainRules(conditionsInput(payment)), setExplanation)}
      onClose={onClose}
    >
      <p className="quiet">{text.text}</p>
      <ConditionFields path="" conditions={payment} error={act.error} onChange={change} />
      <div role="status">{explanation && <Result {...{ explanation, rules }} />}</div>
    </FormDialog>
  );
}

type ResultProps = { readonly explanation: Explanation; readonly rules: readonly Rule[] };

function Result({ explanation: { source, scenario, outcome, passedOver }, rules }: ResultProps) {
  const { try: text } = words;
  const rankOf = (id: string): number => rules.findIndex((rule) => rule.id === id) + 1;
  return (
    <div className="explained">
      <p>
        <strong>
          {source === 'SCENARIO' && scenario ? text.rule(rankOf(scenario.id)) : text.source[source]}
        </strong>{' '}
        {outcome && <Pill tone={toneOf(outcome)}>{outcomeOf(outcome)}</Pill>}
      </p>
      {outcome && <p className="quiet">{effectOf(outcome)}</p>}
      {passedOver.length > 0 && (
        <ol>
          {passedOver.map(({ scenario: { id }, unmet }) => (
            <li key={id}>
              <span>{text.passed(rankOf(id))}</span>
              <span className="quiet">{unmet.map(({ message }) => message).join(' ')}</span>
            </li>
          ))}
        </ol>
      )}
    </div>
  );
}
