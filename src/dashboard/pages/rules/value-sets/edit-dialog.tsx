import { useState } from 'react';
import type { RoutingValueKind } from '../../../../client/generated/schema.ts';
import { AreaField, binder, optionsOf, SelectField, TextField } from '../../../design/form/field.tsx';
import { FormDialog, type DialogProps } from '../../../design/form/form-dialog.tsx';
import { texts } from '../../../texts/texts.ts';
import { createValueSet, updateValueSet, type Filled, type ValueSet } from './query.ts';

const { valueSets: words } = texts;

type EditDialogProps = DialogProps & {
  /** The value set to change. Null for a new one. */
  readonly valueSet: ValueSet | null;
};

type Values = { readonly name: string; readonly kind: RoutingValueKind; readonly text: string };

/** Creates a value set, or changes the name and the values of one. */
export function EditDialog({ valueSet, ...ends }: EditDialogProps) {
  const [values, setValues] = useState<Values>(() => ({
    ...{ name: valueSet?.name ?? '', kind: valueSet?.kind ?? 'COUNTRY' },
    text: valueSet?.values.join('\n') ?? '',
  }));
  const bind = binder(values, setValues);
  const filled: Filled = { name: values.name.trim(), kind: values.kind, values: linesOf(values.text) };
  return (
    <FormDialog<unknown>
      title={valueSet ? words.editTitle : words.add}
      submit={valueSet ? words.save : words.add}
      isReady={filled.name !== '' && filled.values.length > 0}
      run={(key) => (valueSet ? updateValueSet(valueSet.id, filled) : createValueSet(filled, key))}
      said={valueSet ? words.saved : words.added}
      {...ends}
    >
      <TextField {...bind('name')} label={words.name} maxLength={100} autoFocus required />
      {!valueSet && (
        <SelectField
          {...bind('kind')}
          label={words.kind}
          hint={words.kindHint}
          options={optionsOf(words.kinds, ['COUNTRY', 'BIN', 'TEXT'])}
        />
      )}
      <AreaField
        {...bind('text')}
        path="values"
        label={words.values}
        hint={words.hints[values.kind]}
        required
      />
      {valueSet && <p className="quiet">{words.copies}</p>}
    </FormDialog>
  );
}

/** Lists the lines of a text, each once, without empty ones. */
const linesOf = (text: string): readonly string[] => [
  ...new Set(
    text
      .split('\n')
      .map((line) => line.trim())
      .filter(Boolean),
  ),
];
