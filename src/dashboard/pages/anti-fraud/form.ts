import type {
  CreateAntiFraudServiceInput,
  UpdateAntiFraudServiceInput,
} from '../../../client/generated/schema.ts';
import { areGiven, changedOf, typedOf, type Credentials, type Typed } from '../credentials/values.ts';
import type { Definition, Service } from './query.ts';

/** The values of an anti-fraud service as a person types them. */
export type Values = {
  readonly displayName: string;
  readonly fields: Typed;
  readonly active: boolean;
  readonly newerInterfaceEnabled: boolean;
};

/** The form of a new service, or of a stored one. */
export type Form = { readonly definition: Definition; readonly stored: Service | null };

/** Returns the values of a new service. It is active unless another service is. */
export const newValues = ({ displayName }: Definition, hasActive: boolean): Values => ({
  ...{ displayName, fields: {}, active: !hasActive, newerInterfaceEnabled: false },
});

/** Returns the values of a stored service. */
export const valuesOf = ({ displayName, fields, active, newerInterfaceEnabled }: Service): Values => ({
  ...{ displayName, active, newerInterfaceEnabled },
  fields: typedOf(fields),
});

/** Returns the credentials of the form. */
export const credentialsOf = ({ definition, stored }: Form, { fields }: Values): Credentials => ({
  fields: definition.fields,
  values: fields,
  stored: stored && stored.fields,
});

/** Tells whether the values may be sent. The API checks the rest. */
export const isReady = (form: Form, values: Values): boolean =>
  values.displayName.trim() !== '' && areGiven(credentialsOf(form, values));

const sharedInput = (form: Form, values: Values) => ({
  displayName: values.displayName.trim(),
  fields: changedOf(credentialsOf(form, values)),
  newerInterfaceEnabled: values.newerInterfaceEnabled,
});

/** Translates the values of a new service for the API. */
export const createInput = (form: Form, values: Values): CreateAntiFraudServiceInput => ({
  antiFraudServiceDefinitionId: form.definition.id,
  active: values.active,
  ...sharedInput(form, values),
});

/** Translates the values of a stored service for the API. An act of its own turns the service on or off. */
export const updateInput = (form: Form, values: Values): UpdateAntiFraudServiceInput =>
  sharedInput(form, values);
