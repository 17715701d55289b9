import { mistakeAt } from '../../app/mistakes.ts';
import { CheckField, SelectField, TextField } from '../../design/field.tsx';
import { texts } from '../../texts/texts.ts';
import { DefinedFields } from '../credentials/defined-fields.tsx';
import { nameOf, readCodes, type CodeKind } from './codes.ts';
import { CredentialCheck } from './credential-check.tsx';
import {
  changedFields,
  FLAGS,
  flagOf,
  hasFallback,
  unknownCodes,
  type FieldList,
  type Flag,
  type Form,
  type Values,
} from './form.ts';
import { ProfileFields } from './profile-fields.tsx';
import { hasFeature } from './query.ts';
import { writeNames } from './words.ts';

const { form: words } = texts.services;

export type FieldsProps = {
  readonly form: Form;
  readonly values: Values;
  readonly onChange: (values: Values) => void;
  readonly error: unknown;
};

/** The values of a payment service: its name, what it accepts, the credentials of its definition, and its features. */
export function ServiceFields(props: FieldsProps) {
  const { form, values, onChange, error } = props;
  const set = (part: Partial<Values>): void => onChange({ ...values, ...part });
  return (
    <>
      <TextField
        label={words.name}
        hint={words.nameHint}
        mistake={mistakeAt(error, 'displayName')}
        required
        maxLength={200}
        value={values.displayName}
        onChange={(displayName) => set({ displayName })}
      />
      <CodesField
        kind="currency"
        label={words.currencies}
        path="acceptedCurrencies"
        error={error}
        value={values.currencies}
        onChange={(currencies) => set({ currencies })}
      />
      <CodesField
        kind="region"
        label={words.countries}
        path="acceptedCountries"
        error={error}
        value={values.countries}
        onChange={(countries) => set({ countries })}
      />
      <h3 className="form-part">{words.credentials}</h3>
      <Defined {...props} list="fields" />
      {hasFeature(form.definition, 'verify_credentials') && <CredentialCheck form={form} values={values} />}
      <Features {...props} />
      {hasFeature(form.definition, 'merchant_profile') && (
        <ProfileFields profiles={values.profiles} onChange={(profiles) => set({ profiles })} error={error} />
      )}
    </>
  );
}

/** The fields of one list of the definition. */
function Defined({ form, values, onChange, error, list }: FieldsProps & { readonly list: FieldList }) {
  return (
    <DefinedFields
      fields={form.definition[list]}
      isStored={form.stored !== null}
      sent={changedFields(form, values, list)}
      path={list}
      error={error}
      values={values[list]}
      onChange={(typed) => onChange({ ...values, [list]: typed })}
    />
  );
}

type CodesProps = {
  readonly kind: CodeKind;
  readonly label: string;
  readonly path: string;
  readonly error: unknown;
  readonly value: string;
  readonly onChange: (value: string) => void;
};

/** Codes with commas between. Their names appear below while they are typed. */
function CodesField({ kind, label, path, error, value, onChange }: CodesProps) {
  const codes = readCodes(value);
  const unknown = unknownCodes(kind, value);
  // The last word may be half typed.
  const wrong = unknown.filter((code) => code !== codes.at(-1) || /[\s,;]$/.test(value));
  const refused = codes.map((code, at) => [code, mistakeAt(error, `${path}.${at}`)] as const);
  const [first] = refused.filter(([, sentence]) => sentence !== null);
  const mistake = first ? `${first[0]}: ${first[1]}` : mistakeAt(error, path);
  const names = codes.map((code) => nameOf(kind, code)).filter((name) => name !== undefined);
  return (
    <TextField
      label={label}
      hint={names.length > 0 ? writeNames(names) : words.codesHint[kind]}
      mistake={wrong.length > 0 ? words.unknownCodes(wrong.join(', ')) : mistake}
      required
      value={value}
      onChange={(next) => onChange(next.toUpperCase())}
    />
  );
}

/** The features that the definition lets a person switch. */
function Features(props: FieldsProps) {
  const { form, values, onChange, error } = props;
  const flags = (Object.keys(FLAGS) as readonly Flag[]).filter((flag) =>
    hasFeature(form.definition, FLAGS[flag]),
  );
  if (flags.length === 0) return null;
  const set = (flag: Flag, isOn: boolean): void =>
    onChange({ ...values, flags: { ...values.flags, [flag]: isOn } });
  return (
    <>
      <h3 className="form-part">{words.features}</h3>
      {flags.map((flag) => (
        <div key={flag} className="field">
          <CheckField
            label={words.flags[flag].label}
            hint={words.flags[flag].hint}
            isChecked={flagOf(form, values, flag)}
            onChange={(isOn) => set(flag, isOn)}
          />
          <span className="mistake" role="alert">
            {mistakeAt(error, flag)}
          </span>
        </div>
      ))}
      {hasFallback(form, values) && (
        <SelectField
          label={words.fallback}
          mistake={mistakeAt(error, 'threeDSecureFallback')}
          value={values.fallback}
          options={[
            ['CONTINUE', words.fallbacks.CONTINUE],
            ['STOP', words.fallbacks.STOP],
          ]}
          onChange={(fallback) => onChange({ ...values, fallback })}
        />
      )}
      {flagOf(form, values, 'settlementReportingEnabled') && <Defined {...props} list="reportingFields" />}
    </>
  );
}
