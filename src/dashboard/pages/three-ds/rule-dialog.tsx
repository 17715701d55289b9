import { useState } from 'react';
import { useAct } from '../../app/act.ts';
import { mistakeAt } from '../../app/mistakes.ts';
import { ConfirmDialog } from '../../design/confirm-dialog.tsx';
import { FormDialog } from '../../design/form-dialog.tsx';
import { useToast } from '../../design/toast.tsx';
import { texts } from '../../texts/texts.ts';
import { ConditionFields, OutcomeFields } from './fields.tsx';
import { createInput, isReady, losesCard, updateInput, valuesOf } from './form.ts';
import { createRule, deleteRule, updateRule, type Rule } from './query.ts';
import { conditionsOf, effectOf, outcomeOf } from './words.ts';

const { threeDS: words } = texts;

type DialogProps = { readonly onClose: () => void; readonly onChanged: () => void };

/** Creates a rule, or changes one. */
export function RuleDialog({ rule, onClose, onChanged }: DialogProps & { readonly rule: Rule | null }) {
  const { form } = words;
  const act = useAct();
  const toast = useToast();
  const [values, setValues] = useState(() => valuesOf(rule));
  const finish = (): void => {
    toast('good', rule ? words.saved : words.created);
    onChanged();
    onClose();
  };
  const outcome = {
    ...values,
    challengeResult: values.authentication === 'C' ? values.challengeResult : null,
  };
  return (
    <FormDialog
      title={rule ? form.editTitle : words.add}
      isWide
      act={act}
      submit={rule ? form.save : words.add}
      isReady={isReady(rule, values)}
      summary={[[form.effect, effectOf(outcome)]]}
      onSubmit={() =>
        act.run(
          (key) =>
            rule ? updateRule(rule.id, updateInput(rule, values)) : createRule(createInput(values), key),
          finish,
        )
      }
      onClose={onClose}
    >
      <h3>{form.conditions}</h3>
      <p className="quiet">{form.conditionsText}</p>
      {mistakeAt(act.error, 'conditions') !== null && (
        <span className="mistake" role="alert">
          {mistakeAt(act.error, 'conditions')}
        </span>
      )}
      <ConditionFields
        path="conditions."
        conditions={values.conditions}
        error={act.error}
        lost={losesCard(rule, values) ? form.lost : null}
        onChange={(conditions) => setValues({ ...values, conditions })}
      />
      <h3 className="form-part">{form.outcome}</h3>
      <OutcomeFields values={values} onChange={setValues} error={act.error} />
    </FormDialog>
  );
}

/** Deletes a rule after a summary. */
export function DeleteDialog({ rule, onClose, onChanged }: DialogProps & { readonly rule: Rule }) {
  const { delete: text } = words;
  return (
    <ConfirmDialog
      words={text}
      text={text.text}
      said={words.deleted}
      summary={[...conditionsOf(rule), [words.form.outcome, outcomeOf(rule.outcome)]]}
      run={() => deleteRule(rule.id)}
      onDone={() => {
        onChanged();
        onClose();
      }}
      onClose={onClose}
    />
  );
}
