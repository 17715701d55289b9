import { AreaField, CheckField, Kept, TextField, useMistake } from '../../design/form/field.tsx';
import { texts } from '../../texts/texts.ts';
import type { CredentialField, Typed } from './values.ts';

const { form: words } = texts.services;

type DefinedProps = {
  readonly fields: readonly CredentialField[];
  /** The typed values by the keys of the fields. A stored secret has none until a person replaces it. */
  readonly value: Typed;
  readonly onChange: (values: Typed) => void;
  /** True for a stored service, whose secrets are kept. */
  readonly isStored: boolean;
  /** The keys in the order in which the form sends them below `path`. */
  readonly sent: readonly { readonly key: string }[];
  readonly path: string;
};

/** The fields of a definition, each with a control of its format. A stored secret never shows, and may be replaced. */
export function DefinedFields({ fields, value: values, onChange, isStored, sent, path }: DefinedProps) {
  const set = (key: string, value: string): void => onChange({ ...values, [key]: value });
  return fields.map((field) =>
    isStored && field.secret && values[field.key] === undefined ? (
      <Kept
        key={field.key}
        label={field.displayName}
        note={words.kept}
        replace={words.replace(field.displayName)}
        onReplace={() => set(field.key, '')}
      />
    ) : (
      <DefinedField
        key={field.key}
        field={field}
        isReplacing={isStored && field.secret}
        path={`${path}.${sent.findIndex(({ key }) => key === field.key)}`}
        value={values[field.key] ?? ''}
        onChange={(value) => set(field.key, value)}
      />
    ),
  );
}

type DefinedFieldProps = {
  readonly field: CredentialField;
  /** True for a secret that takes the place of a stored one. */
  readonly isReplacing: boolean;
  /** The path of the field among the sent ones. */
  readonly path: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
};

function DefinedField({ field, isReplacing, path, ...control }: DefinedFieldProps) {
  const [ofValue, ofKey] = [useMistake(`${path}.value`), useMistake(`${path}.key`)];
  const { displayName, required, format, secret } = field;
  const props = {
    ...control,
    mistake: ofValue ?? ofKey,
    label: required ? displayName : words.optional(displayName),
    hint: isReplacing && !required ? words.clears : undefined,
    required,
    maxLength: 10_000,
    autoFocus: isReplacing,
  };
  if (format === 'BOOLEAN')
    return (
      <CheckField
        label={displayName}
        value={control.value === 'true'}
        onChange={(isOn) => control.onChange(String(isOn))}
      />
    );
  if (secret && format === 'TEXT')
    return <TextField {...props} type="password" autoComplete="new-password" />;
  if (format === 'MULTILINE' || format === 'FILE') return <AreaField {...props} />;
  return <TextField {...props} inputMode={format === 'NUMBER' ? 'numeric' : 'text'} />;
}
