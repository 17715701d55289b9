import { mistakeAt } from '../../app/mistakes.ts';
import { Button } from '../../design/button.tsx';
import { AreaField, CheckField, TextField } from '../../design/field.tsx';
import { texts } from '../../texts/texts.ts';
import type { CredentialField, Typed } from './values.ts';

const { form: words } = texts.services;

type DefinedProps = {
  readonly fields: readonly CredentialField[];
  /** The typed values by the keys of the fields. A stored secret has none until a person replaces it. */
  readonly values: Typed;
  readonly onChange: (values: Typed) => void;
  /** True for a stored service, whose secrets are kept. */
  readonly isStored: boolean;
  /** The keys in the order in which the form sends them below `path`. */
  readonly sent: readonly { readonly key: string }[];
  readonly path: 'fields' | 'reportingFields';
  readonly error: unknown;
};

/** The fields of a definition, each with a control of its format. A stored secret never shows, and may be replaced. */
export function DefinedFields({ fields, values, onChange, isStored, ...sending }: DefinedProps) {
  const set = (key: string, value: string): void => onChange({ ...values, [key]: value });
  return fields.map((field) =>
    isStored && field.secret && values[field.key] === undefined ? (
      <Kept key={field.key} field={field} onReplace={() => set(field.key, '')} />
    ) : (
      <DefinedField
        key={field.key}
        field={field}
        isReplacing={isStored && field.secret}
        mistake={mistakeOf(field.key, sending)}
        value={values[field.key] ?? ''}
        onChange={(value) => set(field.key, value)}
      />
    ),
  );
}

/** Returns the sentence about a field, whose place in the input is that among the sent ones. */
function mistakeOf(
  key: string,
  { sent, path, error }: Pick<DefinedProps, 'sent' | 'path' | 'error'>,
): string | null {
  const at = sent.findIndex((field) => field.key === key);
  if (at < 0) return null;
  return mistakeAt(error, `${path}.${at}.value`) ?? mistakeAt(error, `${path}.${at}.key`);
}

/** A secret that the API never returns. */
const Kept = ({ field, onReplace }: { readonly field: CredentialField; readonly onReplace: () => void }) => (
  <div className="kept">
    <span>
      {field.displayName} <span className="quiet">{words.kept}</span>
    </span>
    <Button onPress={onReplace}>{words.replace(field.displayName)}</Button>
  </div>
);

type DefinedFieldProps = {
  readonly field: CredentialField;
  /** True for a secret that takes the place of a stored one. */
  readonly isReplacing: boolean;
  readonly mistake: string | null;
  readonly value: string;
  readonly onChange: (value: string) => void;
};

function DefinedField({ field, isReplacing, ...control }: DefinedFieldProps) {
  const { displayName, required, format, secret } = field;
  const props = {
    ...control,
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
        isChecked={control.value === 'true'}
        onChange={(isOn) => control.onChange(String(isOn))}
      />
    );
  if (secret && format === 'TEXT')
    return <TextField {...props} type="password" autoComplete="new-password" />;
  if (format === 'MULTILINE' || format === 'FILE') return <AreaField {...props} />;
  return <TextField {...props} inputMode={format === 'NUMBER' ? 'numeric' : 'text'} />;
}
