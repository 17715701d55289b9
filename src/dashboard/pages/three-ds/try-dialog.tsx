import { useState } from 'react';
import type { ExplainThreeDSScenarioInput } from '../../../client/generated/schema.ts';
import { api } from '../../app/data/api.ts';
import { FormDialog } from '../../design/form/form-dialog.tsx';
import { Pill } from '../../design/pieces.tsx';
import { texts } from '../../texts/texts.ts';
import { ConditionFields } from './fields.tsx';
import { conditionsInput, isBadAmount, NO_CONDITIONS } from './form.ts';
import { OUTCOME, type Rule } from './query.ts';
import { effectOf, outcomeOf, toneOf } from './words.ts';

const { threeDS: words } = texts;

const EXPLANATION = {
  ...{ source: true, scenario: { id: true }, outcome: OUTCOME },
  passedOver: { scenario: { id: true }, unmet: { message: true } },
} as const;

/** Finds the rule that a payment meets, and the reasons against each rule before it. */
const explainRules = async (input: ExplainThreeDSScenarioInput) =>
  (await api.query({ explainThreeDSScenario: [{ input }, EXPLANATION] })).explainThreeDSScenario;

type Explanation = Awaited<ReturnType<typeof explainRules>>;

type TryProps = { readonly rules: readonly Rule[]; readonly onClose: () => void };

/** Says which rule a payment would meet, and why not the rules before it. Creates no payment. */
export function TryDialog({ rules, onClose }: TryProps) {
  const { try: text } = words;
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
      submit={text.submit}
      cancel={texts.action.close}
      isReady={!isBadAmount(payment)}
      run={() => explainRules(conditionsInput(payment))}
      onDone={setExplanation}
      onClose={onClose}
    >
      <p className="quiet">{text.text}</p>
      <ConditionFields path="" conditions={payment} onChange={change} />
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
