import {
  getNamedType,
  getNullableType,
  isInputObjectType,
  isListType,
  type GraphQLInputObjectType,
  type GraphQLSchema,
} from 'graphql';
import type { App } from '../../../app.ts';
import { isObject } from '../../../kernel/json.ts';
import { endpointInputSchemas } from '../../../modules/events/index.ts';
import { linkInputSchemas } from '../../../modules/payment-links/index.ts';
import { methodInputSchemas } from '../../../modules/payment-methods/index.ts';
import { serviceInputSchemas } from '../../../modules/payment-services/index.ts';
import { routingInputSchemas } from '../../../modules/routing/index.ts';
import { scenarioInputSchemas } from '../../../modules/three-ds/index.ts';
import { transactionInputSchemas } from '../../../modules/transactions/index.ts';
import { jsonSchemaOf, type InputSchemas } from '../../../platform/input/input-limits.ts';
import type { Json, JsonSchema } from '../route.ts';

/** The limits of a field of an input type, as JSON Schema has them. Empty without limits. */
export type InputLimits = (typeName: string, field: string) => JsonSchema;

/** Reads the limits of all inputs from the schemas that check them. */
export const readInputLimits = (app: App, schema: GraphQLSchema): InputLimits =>
  limitsIn(schema, {
    ...{ ...endpointInputSchemas(app), ...linkInputSchemas(app), ...methodInputSchemas(app) },
    ...{ ...serviceInputSchemas(), ...scenarioInputSchemas(), ...transactionInputSchemas(app) },
    ...routingInputSchemas(),
  });

/** Reads limits from schemas that check inputs. Throws for a name that the contract does not have. */
export function limitsIn(schema: GraphQLSchema, checks: InputSchemas): InputLimits {
  const limits = new Map<string, JsonSchema>();
  for (const [name, check] of Object.entries(checks)) {
    const type = schema.getType(name);
    if (!isInputObjectType(type)) throw new Error(`${name} is no input type.`);
    readObject(type, jsonSchemaOf(check), limits);
  }
  return (typeName, field) => limits.get(`${typeName}.${field}`) ?? {};
}

function readObject(type: GraphQLInputObjectType, checked: Json, limits: Map<string, JsonSchema>): void {
  const properties = propertiesOf(checked);
  for (const field of Object.values(type.getFields())) {
    const found = givenOf(properties[field.name]);
    const named = getNamedType(field.type);
    const isList = isListType(getNullableType(field.type));
    const items = isList ? givenOf(found['items']) : {};
    const name = `${type.name}.${field.name}`;
    const own = { ...keep(found), ...(isList && hasAny(keep(items)) && { items: keep(items) }) };
    const known = limits.get(name);
    limits.set(name, known ? shared(known, own) : own);
    if (isInputObjectType(named)) readObject(named, isList ? items : found, limits);
  }
}

/** The members of an object. A check of several objects together has the members of each. */
const propertiesOf = ({ properties = {}, allOf = [] }: Json): Json =>
  (allOf as readonly Json[]).reduce<Json>(
    (all, each) => ({ ...all, ...propertiesOf(each) }),
    properties as Json,
  );

/** The schema of a value that is not null. */
function givenOf(schema: unknown): Json {
  if (!isObject(schema)) return {};
  const others = ((schema['anyOf'] ?? []) as readonly Json[]).filter(({ type }) => type !== 'null');
  return others.length === 1 ? givenOf(others[0]) : schema;
}

const KEPT = ['minLength', 'maxLength', 'pattern', 'minimum', 'maximum', 'minItems', 'maxItems'];

/** Keeps limits. Those of all safe integers say nothing, because the type has narrower ones. */
const keep = (schema: Json): JsonSchema =>
  Object.fromEntries(
    KEPT.flatMap((name) => {
      const value = schema[name];
      return value === undefined || Math.abs(Number(value)) === Number.MAX_SAFE_INTEGER
        ? []
        : [[name, value]];
    }),
  );

const hasAny = (schema: JsonSchema): boolean => Object.keys(schema).length > 0;

/** A type that several inputs share has the limits that all of them have. */
const shared = (one: JsonSchema, other: JsonSchema): JsonSchema =>
  Object.fromEntries(
    Object.entries(one).filter(([name, value]) => JSON.stringify(other[name]) === JSON.stringify(value)),
  );
