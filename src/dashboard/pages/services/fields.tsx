import { useContext } from 'react';
import { mistakeAt } from '../../app/data/mistakes.ts';
import {
  binder,
  CheckField,
  FormError,
  optionsOf,
  SelectField,
  TextField,
} from '../../design/form/field.tsx';
import { texts } from '../../texts/texts.ts';
import { DefinedFields } from '../connection/defined-fields.tsx';
import { nameOf, readCodes, type CodeKind } from './codes.ts';
import { CredentialCheck } from './credential-check.tsx';
import {
  changedFields,
  flagOf,
  FLAGS,
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

type FieldsProps = {
  readonly form: Form;
  readonly values: Values;
  readonly onChange: (values: Values) => void;
};

/** The values of a payment service: its name, what it accepts, the credentials of its definition, and its features. */
export function ServiceFields(props: FieldsProps) {
  const { form, values, onChange } = props;
  const bind = binder(values, onChange);
  return (
    <>
      <TextField {...bind('displayName')} label={words.name} hint={words.nameHint} required maxLength={200} />
      <CodesField
        {...bind('currencies')}
        kind="currency"
        label={words.currencies}
        path="acceptedCurrencies"
      />
      <CodesField {...bind('countries')} kind="region" label={words.countries} path="acceptedCountries" />
      <h3 className="form-part">{words.credentials}</h3>
      <Defined {...props} list="fields" />
      {hasFeature(form.definition, 'verify_credentials') && <CredentialCheck form={form} values={values} />}
      <Features {...props} />
      {hasFeature(form.definition, 'merchant_profile') && <ProfileFields {...bind('profiles')} />}
    </>
  );
}

/** The fields of one list of the definition. */
const Defined = ({ form, values, onChange, list }: FieldsProps & { readonly list: FieldList }) => (
  <DefinedFields
    {...binder(values, onChange)(list)}
    fields={form.definition[list]}
    isStored={form.stored !== null}
    sent={changedFields(form, values, list)}
  />
);

type CodesProps = {
  readonly kind: CodeKind;
  readonly label: string;
  readonly path: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
};

/** Codes with commas between. Their names appear below while they are typed. */
function CodesField({ kind, label, path, value, onChange }: CodesProps) {
  const error = useContext(FormError);
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
  const { form, values, onChange } = props;
  const error = useContext(FormError);
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
            {...words.flags[flag]}
            value={flagOf(form, values, flag)}
            onChange={(isOn) => set(flag, isOn)}
          />
          <span className="mistake" role="alert">
            {mistakeAt(error, flag)}
          </span>
        </div>
      ))}
      {hasFallback(form, values) && (
        <SelectField
          {...binder(values, onChange)('fallback')}
          path="threeDSecureFallback"
          label={words.fallback}
          options={optionsOf(words.fallbacks, ['CONTINUE', 'STOP'])}
        />
      )}
      {flagOf(form, values, 'settlementReportingEnabled') && <Defined {...props} list="reportingFields" />}
    </>
  );
}
