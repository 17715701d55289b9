import { useState } from 'react';
import { RefusedError, type Refusal } from '../../../../client/operations/errors.ts';
import { binder, TextField } from '../../../design/form/field.tsx';
import { FormDialog } from '../../../design/form/form-dialog.tsx';
import { texts } from '../../../texts/texts.ts';
import { checkRules, type Own } from '../query.ts';
import { isSame, type Rule } from '../rule.ts';
import { ActionFields } from './action-fields.tsx';
import { ConditionFields } from './condition-fields.tsx';
import { formOf, NEW_RULE, ruleOf } from './form.ts';
import { isAboutRules, refusalsOf } from './refusals.ts';

const { form: words } = texts.routingRules;

type RuleDialogProps = {
  readonly ruleSetId: string;
  /** The rules of the draft. */
  readonly rules: readonly Rule[];
  /** The index of the rule to edit. The index behind the last is a new rule. */
  readonly at: number;
  readonly own: Own;
  readonly onDone: (rules: readonly Rule[]) => void;
  readonly onClose: () => void;
};

/** Edits a rule of a draft, or adds one. The API checks the rule before it is applied. */
export function RuleDialog({ ruleSetId, rules, at, own, onDone, onClose }: RuleDialogProps) {
  const former = rules[at];
  const [form, setForm] = useState(() => (former ? formOf(former) : NEW_RULE));
  const path = `rules.${at}.`;
  const bind = binder(form, setForm, path);
  const rule = ruleOf(form);
  return (
    <FormDialog
      title={former ? words.editTitle : words.addTitle}
      isWide
      submit={words.apply}
      isReady={rule !== null}
      run={() => checked(ruleSetId, rule ? rules.toSpliced(at, 1, rule) : rules, at)}
      onDone={(next) => {
        onDone(next);
        onClose();
      }}
      onClose={onClose}
    >
      <TextField
        {...bind('name')}
        label={words.name}
        hint={words.nameHint}
        maxLength={100}
        autoFocus
        required
      />
      <h3 className="form-part">{words.conditions}</h3>
      <p className="quiet">{words.conditionsText}</p>
      <ConditionFields {...bind('conditions')} own={own} path={`${path}conditions`} />
      <h3 className="form-part">{words.action}</h3>
      <ActionFields value={form} own={own} onChange={setForm} path={path} />
    </FormDialog>
  );
}

/**
 * Returns the rules of a draft after the API took one of them. The refusals of other rules stand at their cards, so that a person can
 * mend one rule after the other.
 */
async function checked(ruleSetId: string, rules: readonly Rule[], at: number): Promise<readonly Rule[]> {
  try {
    await checkRules(ruleSetId, rules);
  } catch (error) {
    if (!isAboutRules(error) || refusalsOf(error, at).length > 0) throw error;
    const twice = refusalsOfTwin(error, rules, at);
    if (twice.length > 0 && error instanceof RefusedError)
      throw new RefusedError(error.mutation, twice, error.data);
  }
  return rules;
}

/** Lists the refusals of another rule with the name of an edited one. The API names the later of the two. */
function refusalsOfTwin(error: unknown, rules: readonly Rule[], at: number): readonly Refusal[] {
  const twin = rules.findIndex(({ name }, place) => place !== at && name === rules[at]?.name);
  const path = ['input', 'rules', String(at), 'name'];
  return refusalsOf(error, twin).map((refusal) => ({ ...refusal, path }));
}

/** Tells whether the form shows the whole rule. A value with an end of a line, for example, has no place in the form. */
export const isEditable = (rule: Rule): boolean => {
  const shown = ruleOf(formOf(rule));
  return shown !== null && isSame(shown, rule);
};
