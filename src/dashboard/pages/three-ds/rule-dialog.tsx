import { useState } from 'react';
import { api } from '../../app/data/api.ts';
import { useMistake } from '../../design/form/field.tsx';
import { ConfirmDialog, FormDialog, type DialogProps } from '../../design/form/form-dialog.tsx';
import { texts } from '../../texts/texts.ts';
import { ConditionFields, OutcomeFields } from './fields.tsx';
import { createInput, isReady, losesCard, updateInput, valuesOf, type Values } from './form.ts';
import type { Rule } from './query.ts';
import { conditionsOf, effectOf, outcomeOf } from './words.ts';

const { threeDS: words } = texts;

/** Creates a rule after all others, or changes one in its place. */
export function RuleDialog({ rule, ...ends }: DialogProps & { readonly rule: Rule | null }) {
  const { form } = words;
  const [values, setValues] = useState(() => valuesOf(rule));
  const { authentication, challengeResult } = values;
  const outcome = { ...values, challengeResult: authentication === 'C' ? challengeResult : null };
  return (
    <FormDialog
      title={rule ? form.editTitle : words.add}
      isWide
      submit={rule ? form.save : words.add}
      isReady={isReady(rule, values)}
      summary={[[form.effect, effectOf(outcome)]]}
      run={(key) => saveRule(rule, values, key)}
      said={rule ? words.saved : words.created}
      {...ends}
    >
      <h3>{form.conditions}</h3>
      <p className="quiet">{form.conditionsText}</p>
      <ConditionsMistake />
      <ConditionFields
        path="conditions."
        conditions={values.conditions}
        lost={losesCard(rule, values) ? form.lost : null}
        onChange={(conditions) => setValues({ ...values, conditions })}
      />
      <h3 className="form-part">{form.outcome}</h3>
      <OutcomeFields values={values} onChange={setValues} />
    </FormDialog>
  );
}

function saveRule(rule: Rule | null, values: Values, idempotencyKey: string): Promise<unknown> {
  if (!rule) {
    const given = { input: createInput(values), idempotencyKey };
    return api.mutate({ createThreeDSScenario: [given, { threeDSScenarioId: true }] });
  }
  const given = { id: rule.id, input: updateInput(rule, values) };
  return api.mutate({ updateThreeDSScenario: [given, { threeDSScenario: { id: true } }] });
}

function ConditionsMistake() {
  const mistake = useMistake('conditions');
  return (
    mistake !== null && (
      <span className="mistake" role="alert">
        {mistake}
      </span>
    )
  );
}

/** Deletes a rule for good, after a summary. */
export const DeleteDialog = ({ rule, ...ends }: DialogProps & { readonly rule: Rule }) => (
  <ConfirmDialog
    words={words.delete}
    text={words.delete.text}
    said={words.deleted}
    summary={[...conditionsOf(rule), [words.form.outcome, outcomeOf(rule.outcome)]]}
    run={() => api.mutate({ deleteThreeDSScenario: [{ id: rule.id }, { deletedId: true }] })}
    {...ends}
  />
);
