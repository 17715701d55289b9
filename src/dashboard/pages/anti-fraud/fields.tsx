import { mistakeAt } from '../../app/mistakes.ts';
import { CheckField, TextField } from '../../design/field.tsx';
import { texts } from '../../texts/texts.ts';
import { DefinedFields } from '../credentials/defined-fields.tsx';
import { changedOf } from '../credentials/values.ts';
import { credentialsOf, type Form, type Values } from './form.ts';

type FieldsProps = {
  readonly form: Form;
  readonly values: Values;
  readonly onChange: (values: Values) => void;
  readonly error: unknown;
};

/** The values of an anti-fraud service: its name, the credentials of its definition, and its switches. */
export function ServiceFields({ form, values, onChange, error }: FieldsProps) {
  const { form: named } = texts.services;
  const { form: words } = texts.antiFraud;
  const { newerInterfaceVersion } = form.definition;
  const set = (part: Partial<Values>): void => onChange({ ...values, ...part });
  return (
    <>
      <TextField
        label={named.name}
        hint={named.nameHint}
        mistake={mistakeAt(error, 'displayName')}
        required
        maxLength={200}
        value={values.displayName}
        onChange={(displayName) => set({ displayName })}
      />
      <h3 className="form-part">{named.credentials}</h3>
      <DefinedFields
        fields={form.definition.fields}
        isStored={form.stored !== null}
        sent={changedOf(credentialsOf(form, values))}
        path="fields"
        error={error}
        values={values.fields}
        onChange={(fields) => set({ fields })}
      />
      {newerInterfaceVersion !== null && (
        <CheckField
          label={words.newer(newerInterfaceVersion)}
          hint={words.newerHint}
          isChecked={values.newerInterfaceEnabled}
          onChange={(newerInterfaceEnabled) => set({ newerInterfaceEnabled })}
        />
      )}
      {form.stored === null && (
        <CheckField
          label={words.active}
          hint={words.activeHint}
          isChecked={values.active}
          onChange={(active) => set({ active })}
        />
      )}
    </>
  );
}
