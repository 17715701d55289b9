import { readdirSync, readFileSync } from 'node:fs';
import {
  Kind,
  parse,
  type ConstValueNode,
  type EnumTypeDefinitionNode,
  type FieldDefinitionNode,
} from 'graphql';

const COMPOSED: ReadonlySet<string> = new Set(['api.graphql', 'supergraph.graphql']);

const definitions = readdirSync('schema')
  .filter((file) => file.endsWith('.graphql') && !COMPOSED.has(file))
  .sort()
  .flatMap((file) => parse(readFileSync(`schema/${file}`, 'utf8')).definitions);

/** Finds an enum of the schema. Throws when there is none. */
export function enumOf(name: string): EnumTypeDefinitionNode {
  for (const each of definitions)
    if (each.kind === Kind.ENUM_TYPE_DEFINITION && each.name.value === name) return each;
  throw new Error(`The schema has no enum ${name}.`);
}

/** The values of an enum, with their descriptions. */
export const enumRows = (name: string): (readonly [value: string, description: string])[] =>
  (enumOf(name).values ?? []).map(({ name: value, description }) => [
    value.value,
    (description?.value ?? '').replace(/\s+/g, ' ').trim(),
  ]);

/** A field and the scopes that it asks for. */
export type ScopedField = { readonly field: string; readonly scopes: readonly string[] };

/** Every field that asks for a scope. Root fields carry the name of their operation type. */
export const scopedFields = (): ScopedField[] =>
  definitions.flatMap((each) =>
    each.kind === Kind.OBJECT_TYPE_DEFINITION || each.kind === Kind.OBJECT_TYPE_EXTENSION
      ? (each.fields ?? []).flatMap((field) => {
          const scopes = scopesOf(field);
          return scopes.length > 0 ? [{ field: `${each.name.value}.${field.name.value}`, scopes }] : [];
        })
      : [],
  );

const scopesOf = ({ directives = [] }: FieldDefinitionNode): string[] =>
  directives
    .filter(({ name }) => name.value === 'requiresScopes')
    .flatMap(({ arguments: given = [] }) => given.flatMap(({ value }) => stringsIn(value)));

const stringsIn = (value: ConstValueNode): string[] => {
  if (value.kind === Kind.STRING) return [value.value];
  return value.kind === Kind.LIST ? value.values.flatMap(stringsIn) : [];
};
