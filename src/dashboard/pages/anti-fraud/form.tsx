import type { AntiFraudFallback, UpdateAntiFraudServiceInput } from '../../../client/generated/schema.ts';
import { api, idOf } from '../../app/data/api.ts';
import { binder, CheckField, optionsOf, SelectField, TextField } from '../../design/form/field.tsx';
import { texts } from '../../texts/texts.ts';
import { DefinedFields } from '../connection/defined-fields.tsx';
import { areGiven, changedOf, typedOf, type Credentials, type Typed } from '../connection/values.ts';
import type { Definition, Service } from './query.ts';

/** The values of an anti-fraud service as a person types them. */
type Values = {
  readonly displayName: string;
  readonly fields: Typed;
  readonly active: boolean;
  readonly newerInterfaceEnabled: boolean;
  readonly fallback: AntiFraudFallback;
};

/** The form of a new service, or of a stored one. */
type Form = { readonly definition: Definition; readonly stored: Service | null };

/** Returns the values of a new service. It is active unless another service is. */
export const newValues = ({ displayName }: Definition, hasActive: boolean): Values => ({
  ...{ displayName, fields: {}, active: !hasActive, newerInterfaceEnabled: false, fallback: 'ACCEPT' },
});

/** Returns the values of a stored service. */
export const valuesOf = ({ fields, ...service }: Service): Values => ({
  displayName: service.displayName,
  active: service.active,
  newerInterfaceEnabled: service.newerInterfaceEnabled,
  fallback: service.fallback,
  fields: typedOf(fields),
});

const credentialsOf = ({ definition, stored }: Form, { fields }: Values): Credentials => ({
  fields: definition.fields,
  values: fields,
  stored: stored && stored.fields,
});

/** Translates the values for the API. An act of its own turns a stored service on or off. */
const inputOf = (form: Form, values: Values) => ({
  displayName: values.displayName.trim(),
  fields: changedOf(credentialsOf(form, values)),
  newerInterfaceEnabled: values.newerInterfaceEnabled,
  fallback: values.fallback,
});

/** Creates an anti-fraud service. Returns its id. */
export async function createService(form: Form, values: Values, idempotencyKey: string): Promise<string> {
  const { definition } = form;
  const input = {
    ...{ antiFraudServiceDefinitionId: definition.id, active: values.active },
    ...inputOf(form, values),
  };
  const { createAntiFraudService: created } = await api.mutate({
    createAntiFraudService: [{ input, idempotencyKey }, { antiFraudServiceId: true }],
  });
  return idOf(created.antiFraudServiceId);
}

/** Changes an anti-fraud service. */
export const updateService = (id: string, input: UpdateAntiFraudServiceInput) =>
  api.mutate({ updateAntiFraudService: [{ id, input }, { antiFraudService: { id: true } }] });

/** Changes the values of a stored service. */
export const saveService = (form: Form, values: Values) =>
  updateService(form.stored?.id ?? '', inputOf(form, values));

type FieldsProps = {
  readonly form: Form;
  readonly values: Values;
  readonly onChange: (values: Values) => void;
};

/** The values of an anti-fraud service: its name, the credentials of its definition, and its switches. */
function Fields({ form, values, onChange }: FieldsProps) {
  const { form: named } = texts.services;
  const { form: words } = texts.antiFraud;
  const { newerInterfaceVersion, fields } = form.definition;
  const bind = binder(values, onChange);
  return (
    <>
      <TextField {...bind('displayName')} label={named.name} hint={named.nameHint} required maxLength={200} />
      <h3 className="form-part">{named.credentials}</h3>
      <DefinedFields
        {...bind('fields')}
        fields={fields}
        isStored={form.stored !== null}
        sent={changedOf(credentialsOf(form, values))}
      />
      {newerInterfaceVersion !== null && (
        <CheckField
          {...bind('newerInterfaceEnabled')}
          label={words.newer(newerInterfaceVersion)}
          hint={words.newerHint}
        />
      )}
      <SelectField
        {...bind('fallback')}
        label={words.fallback}
        hint={words.fallbackHint}
        options={optionsOf(words.fallbacks, ['ACCEPT', 'REVIEW', 'REJECT'])}
      />
      {form.stored === null && (
        <CheckField {...bind('active')} label={words.active} hint={words.activeHint} />
      )}
    </>
  );
}

/** The form of anti-fraud services. The API checks the rest. */
export const SERVICE_KIND = {
  Fields,
  isReady: (form: Form, values: Values): boolean =>
    values.displayName.trim() !== '' && areGiven(credentialsOf(form, values)),
};
