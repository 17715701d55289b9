import type { DefinitionField, FieldInput } from '../../../client/generated/schema.ts';
import type { Answer } from '../../../client/operations/selection.ts';

/** The selection of a definition's field. */
export const FIELD = { key: true, displayName: true, required: true, format: true, secret: true } as const;

/** A field of a definition, such as a key of the provider. */
export type CredentialField = Answer<DefinitionField, typeof FIELD>;

/** Typed values by the keys of fields. A secret without an entry stays as it is stored. */
export type Typed = Readonly<Record<string, string>>;

/** The fields of a definition, the typed values, and the stored ones. Null is for a new service. */
export type Credentials = {
  readonly fields: readonly CredentialField[];
  readonly values: Typed;
  readonly stored: readonly FieldInput[] | null;
};

/** Returns stored values as a form has them. Secrets are never read, so a form may only replace them. */
export const typedOf = (stored: readonly FieldInput[]): Typed =>
  Object.fromEntries(stored.map(({ key, value }) => [key, value]));

/** Lists the fields to send: the given ones of a new service, and the changed ones of a stored one. */
export function changedOf({ fields, values, stored }: Credentials): readonly FieldInput[] {
  const before = typedOf(stored ?? []);
  return fields.flatMap(({ key, secret }) => {
    const value = values[key];
    if (value === undefined) return [];
    const isReplaced = stored !== null && secret;
    return isReplaced || value !== (before[key] ?? '') ? [{ key, value }] : [];
  });
}

/** Tells whether each required field has a value. A stored secret counts until a person replaces it. */
export const areGiven = ({ fields, values, stored }: Credentials): boolean =>
  fields.every(({ key, required, secret }) => {
    const isKept = stored !== null && secret && values[key] === undefined;
    return !required || isKept || (values[key] ?? '') !== '';
  });
