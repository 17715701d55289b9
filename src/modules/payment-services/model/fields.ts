import type { Credentials } from '../../../connectors/interface/call-context.ts';
import type { Definition, DefinitionField } from '../../../connectors/interface/definition.ts';
import { holdsCardNumberInData } from '../../../kernel/account-numbers/lone-card-number.ts';
import { invalidInput, type InvalidInput } from '../../../kernel/refusal.ts';
import { refuseText } from '../../../platform/input/text.ts';

/** A configured credential or reporting field: key 1 to 50 characters, value 1 to 10 000. */
export type Field = { readonly key: string; readonly value: string };

export type GivenFields = {
  readonly fields?: readonly Field[] | null | undefined;
  readonly reportingFields?: readonly Field[] | null | undefined;
};

/**
 * The fields that a definition has. A definition without reporting fields leaves them out, and its services have none.
 */
export type AskedFields = Pick<Definition, 'fields'> & Partial<Pick<Definition, 'reportingFields'>>;

/**
 * Lists the failures of a new service's fields: unknown, repeated, out of bounds, or required and missing. A null
 * definition checks bounds alone.
 */
export function newFieldFailures(
  definition: AskedFields | null,
  given: GivenFields,
): readonly InvalidInput[] {
  const fields = given.fields ?? [];
  return [
    ...entryFailures('fields', definition?.fields ?? null, fields, 'value'),
    ...missing('fields', definition?.fields ?? [], fields),
    ...entryFailures(
      'reportingFields',
      definition?.reportingFields ?? null,
      given.reportingFields ?? [],
      'value',
    ),
  ];
}

/**
 * Lists the failures of fields that are merged over stored ones. An empty value clears a field that is not required.
 */
export const changedFieldFailures = (
  definition: AskedFields,
  given: GivenFields,
): readonly InvalidInput[] => [
  ...entryFailures('fields', definition.fields, given.fields ?? [], 'value or clear'),
  ...entryFailures(
    'reportingFields',
    definition.reportingFields ?? null,
    given.reportingFields ?? [],
    'value or clear',
  ),
];

/** Lists the required reporting fields that are missing from a service with settlement reports. */
export const reportingFailures = (
  definition: Definition,
  reportingFields: readonly Field[],
): readonly InvalidInput[] => missing('reportingFields', definition.reportingFields, reportingFields);

/**
 * Merges fields over stored ones by key. An empty value removes a field. Stored fields keep their place and new ones
 * follow.
 */
export function mergeFields(stored: readonly Field[], given: readonly Field[]): readonly Field[] {
  const merged = new Map(stored.map(({ key, value }) => [key, value]));
  for (const { key, value } of given) merged.set(key, value);
  return [...merged].filter(([, value]) => value !== '').map(([key, value]) => ({ key, value }));
}

/** Returns fields as one object, for a call of a provider. */
export const byKey = (fields: readonly Field[]): Credentials =>
  Object.fromEntries(fields.map(({ key, value }) => [key, value]));

/** Splits fields into those that may be shown and those to seal. */
export function partFields(
  definition: AskedFields,
  fields: readonly Field[],
): { open: Field[]; secret: Field[] } {
  const secretKeys = new Set(definition.fields.filter(({ secret }) => secret).map(({ key }) => key));
  return {
    open: fields.filter(({ key }) => !secretKeys.has(key)),
    secret: fields.filter(({ key }) => secretKeys.has(key)),
  };
}

type List = keyof GivenFields;

const KEY_LENGTH_MAX = 50;
const VALUE_LENGTH_MAX = 10_000;

/** Returns the first failure of each key and each value. */
function entryFailures(
  list: List,
  requested: readonly DefinitionField[] | null,
  given: readonly Field[],
  mode: 'value' | 'value or clear',
): InvalidInput[] {
  return given.flatMap(({ key, value }, index) => {
    const path = ['input', list, String(index)];
    const repeated = given.findIndex((other) => other.key === key) < index;
    const keyFailure = refuseKey(requested, key, repeated);
    if (keyFailure) return [invalidInput([...path, 'key'], keyFailure)];
    const field = requested?.find((each) => each.key === key) ?? null;
    const valueFailure =
      mode === 'value or clear' && value === ''
        ? refuseClearing(field?.required ?? false)
        : refuseValue(value, field);
    return valueFailure ? [invalidInput([...path, 'value'], valueFailure)] : [];
  });
}

function refuseKey(
  requested: readonly DefinitionField[] | null,
  key: string,
  repeated: boolean,
): string | null {
  const unfit = refuseText(key, 1, KEY_LENGTH_MAX);
  if (unfit) return unfit;
  if (repeated) return 'This key appears twice. Give each key once.';
  if (!requested || requested.some((field) => field.key === key)) return null;
  if (requested.length === 0) return 'The definition has no such fields.';
  return `Not a field of the definition, which has ${requested.map((field) => field.key).join(', ')}.`;
}

/** Refuses a card number in a field that is shown. Secret fields are sealed, and a secret may have any form. */
const refuseValue = (value: string, field: DefinitionField | null): string | null =>
  refuseText(value, 1, VALUE_LENGTH_MAX) ??
  refuseForm(value, field?.format) ??
  (!field?.secret && holdsCardNumberInData(value) ? 'Must not contain a card number.' : null);

/** Refuses a word that the connector would read as false or leave out. */
function refuseForm(value: string, format: DefinitionField['format'] | undefined): string | null {
  if (format === 'boolean' && !/^(true|false)$/.test(value)) return 'Must be true or false.';
  return format === 'number' && !/^\d{1,15}$/.test(value) ? 'Must be a whole number.' : null;
}

const refuseClearing = (required: boolean): string | null =>
  required ? 'The definition requires this field, so it cannot be cleared.' : null;

const missing = (
  list: List,
  requested: readonly DefinitionField[],
  given: readonly Field[],
): InvalidInput[] =>
  requested
    .filter(({ key, required }) => required && !given.some((field) => field.key === key))
    .map(({ key }) => invalidInput(['input', list], `The definition requires the field ${key}.`));
