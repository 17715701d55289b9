import {
  getNamedType,
  getNullableType,
  isEnumType,
  isInputType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  parse,
  type FieldNode,
  type GraphQLField,
  type GraphQLNamedInputType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
} from 'graphql';
import type { ScopeGroups } from '../../graph/federation/scopes.ts';
import type { ScopeRules } from '../../graph/limits/mutation-scopes.ts';
import { showInput } from './input/show-input.ts';
import { componentName, noted, ofEnum, orNull, scalarSchema } from './json-schema.ts';
import { restName, wordOf, type Reword } from './names.ts';
import type { Json, JsonSchema, RecordForm } from './route.ts';

/** A selected field with its type, and the selected fields below it. */
export type Selected = {
  readonly name: string;
  readonly field: GraphQLField<unknown, unknown>;
  readonly below: readonly Selected[];
  /** The input type that the JSON of the field is a copy of. */
  readonly input: GraphQLNamedInputType | null;
  /** The scopes that the field requires: every group of groups. */
  readonly always: readonly ScopeGroups[];
  /** The scopes of a record of another subgraph, for a field beyond its key. */
  readonly beyond: ScopeGroups;
};

/** Reads the fields of a record form. Throws for a field that the type does not have. */
export function selectionOf(
  { schema, scopes }: { readonly schema: GraphQLSchema; readonly scopes: ScopeRules },
  { on, fields, inputs = {} }: Pick<RecordForm, 'on' | 'fields' | 'inputs'>,
): readonly Selected[] {
  const read = (type: GraphQLObjectType, nodes: readonly FieldNode[], key: Key): readonly Selected[] =>
    nodes.map((node) => {
      const field = fieldOf(type, node.name.value);
      const rule = scopes.get(`${type.name}.${field.name}`);
      const named = getNamedType(field.type);
      const inner = { key: rule?.key ?? null, groups: rule?.beyondKey ?? [] };
      return {
        ...{ name: field.name, field, always: rule?.always ?? [] },
        below: isObjectType(named) ? read(named, fieldsIn(node), inner) : [],
        input: inputTypeOf(schema, inputs[field.name]),
        beyond: key.key?.has(field.name) ? [] : key.groups,
      };
    });
  const type = schema.getType(on);
  if (!isObjectType(type)) throw new Error(`${on} is no object type.`);
  return read(type, fieldsOf(fields), { key: null, groups: [] });
}

function inputTypeOf(schema: GraphQLSchema, name: string | undefined): GraphQLNamedInputType | null {
  if (name === undefined) return null;
  const type = schema.getType(name);
  if (!isInputType(type)) throw new Error(`${name} is no input type.`);
  return type;
}

type Key = { readonly key: ReadonlySet<string> | null; readonly groups: ScopeGroups };

/** Returns a field of a type. Throws if the type has no such field. */
export function fieldOf(type: GraphQLObjectType, name: string): GraphQLField<unknown, unknown> {
  const field = type.getFields()[name];
  if (!field) throw new Error(`${type.name} has no field ${name}.`);
  return field;
}

function fieldsOf(text: string): readonly FieldNode[] {
  const [definition] = parse(`{ ${text} }`).definitions;
  if (definition?.kind !== Kind.OPERATION_DEFINITION) throw new Error('A record form selects no fields.');
  return definition.selectionSet.selections.filter((node) => node.kind === Kind.FIELD);
}

const fieldsIn = ({ selectionSet }: FieldNode): readonly FieldNode[] =>
  (selectionSet?.selections ?? []).filter((node) => node.kind === Kind.FIELD);

/** Leaves out the fields that a caller may not read. */
export const readable = (
  selected: readonly Selected[],
  isGranted: (groups: ScopeGroups) => boolean,
): readonly Selected[] =>
  selected
    .filter(({ always, beyond }) => always.every(isGranted) && (beyond.length === 0 || isGranted(beyond)))
    .map((each) => ({ ...each, below: readable(each.below, isGranted) }))
    .filter(({ field, below }) => below.length > 0 || !isObjectType(getNamedType(field.type)));

/** Prints a selection as GraphQL. */
export const printSelection = (selected: readonly Selected[]): string =>
  selected
    .map(({ name, below }) => (below.length > 0 ? `${name} { ${printSelection(below)} }` : name))
    .join(' ');

/** Shows a record of the graph with the names and words of the paths. */
export function showRecord(selected: readonly Selected[], record: Json): Json {
  const shown: Record<string, unknown> = {};
  for (const each of selected) shown[restName(each.name)] = showField(each, record[each.name]);
  return shown;
}

/** Shows the value of a field with the names and words of the paths. */
export const showField = ({ field, below, input }: Selected, value: unknown): unknown =>
  input === null ? showValue(field.type, below, value) : showInput(input, value);

function showValue(type: GraphQLOutputType, below: readonly Selected[], value: unknown): unknown {
  if (value === null || value === undefined) return null;
  const nullable = getNullableType(type);
  if (isListType(nullable))
    return (value as readonly unknown[]).map((each) => showValue(nullable.ofType, below, each));
  if (isObjectType(nullable)) return showRecord(below, value as Json);
  return isEnumType(nullable) && typeof value === 'string' ? wordOf(nullable.name, value) : value;
}

/** Shows a record in its form: with its `type`, and with the computed members in place of the hidden ones. */
export function showForm(form: RecordForm, selected: readonly Selected[], record: Json): Json {
  const all = showRecord(selected, record);
  const shown: Record<string, unknown> = form.type === undefined ? {} : { type: form.type };
  for (const [name, value] of Object.entries(all)) if (!form.hidden?.includes(name)) shown[name] = value;
  for (const [name, { from }] of Object.entries(form.computed ?? {})) {
    const value = from(all);
    if (value !== undefined) shown[name] = value;
  }
  return shown;
}

/** Returns the schema of a record in its form. Members that need further scopes are optional. */
export function formSchema(form: RecordForm, selected: readonly Selected[], reword: Reword): JsonSchema {
  const { properties, required } = membersOf(selected, reword);
  const computed = Object.entries(form.computed ?? {});
  const hidden = new Set(form.hidden);
  return {
    type: 'object',
    properties: {
      ...(form.type !== undefined && {
        type: { type: 'string', const: form.type, description: `Always \`${form.type}\`.` },
      }),
      ...Object.fromEntries(Object.entries(properties).filter(([name]) => !hidden.has(name))),
      ...Object.fromEntries(computed.map(([name, { schema }]) => [name, schema])),
    },
    required: [
      ...(form.type === undefined ? [] : ['type']),
      ...required.filter((name) => !hidden.has(name)),
      ...computed.filter(([, { optional }]) => !optional).map(([name]) => name),
    ],
  };
}

function membersOf(selected: readonly Selected[], reword: Reword) {
  return {
    properties: Object.fromEntries(
      selected.map((each) => [
        restName(each.name),
        { ...fieldSchema(each, reword), ...noted(each.field, reword) },
      ]),
    ),
    required: selected.filter(isAlwaysShown).map(({ name }) => restName(name)),
  };
}

/** True for a field that every caller of its path may read. The scope of the record itself is that of the path. */
const isAlwaysShown = ({ always, beyond }: Selected): boolean => always.length === 0 && beyond.length === 0;

/** Returns the schema of a field's value. A copy of input has the schema of the input. */
export function fieldSchema({ field, below, input }: Selected, reword: Reword): JsonSchema {
  if (input === null) return schemaOf(field.type, below, reword);
  const copied = { $ref: `#/components/schemas/${componentName(input.name)}` };
  return isListType(getNullableType(field.type)) ? { type: 'array', items: copied } : copied;
}

function schemaOf(type: GraphQLOutputType, below: readonly Selected[], reword: Reword): JsonSchema {
  if (!isNonNullType(type)) return orNull(ofNullable(type, below, reword));
  return ofNullable(type.ofType as GraphQLOutputType, below, reword);
}

function ofNullable(type: GraphQLOutputType, below: readonly Selected[], reword: Reword): JsonSchema {
  if (isListType(type))
    return { type: 'array', items: schemaOf(type.ofType as GraphQLOutputType, below, reword) };
  if (isObjectType(type)) return { type: 'object', ...membersOf(below, reword) };
  return isEnumType(type) ? ofEnum(type) : scalarSchema(getNamedType(type).name);
}
