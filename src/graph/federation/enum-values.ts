import { addResolversToSchema } from '@graphql-tools/schema';
import {
  getNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isScalarType,
  isSpecifiedScalarType,
  valueFromAST,
  type GraphQLArgument,
  type GraphQLInputField,
  type GraphQLInputObjectType,
  type GraphQLSchema,
} from 'graphql';
import { scalars } from '../scalars.ts';

/**
 * Gives a schema the domain's values. An enum value is its name in lower case, in answers, arguments and defaults alike. Each
 * custom scalar comes from scalars.ts. Throws when scalars.ts lacks a scalar.
 */
export function withDomainValues(schema: GraphQLSchema): GraphQLSchema {
  const resolvers: Record<string, Record<string, unknown>> = {};
  for (const type of Object.values(schema.getTypeMap())) {
    if (isFederationName(type.name)) continue;
    if (isEnumType(type)) {
      resolvers[type.name] = Object.fromEntries(
        type.getValues().map(({ name }) => [name, name.toLowerCase()]),
      );
    } else if (isScalarType(type) && !isSpecifiedScalarType(type)) {
      const scalar = scalars[type.name];
      if (!scalar) throw new Error(`The scalar ${type.name} is not in scalars.ts.`);
      resolvers[type.name] = scalar;
    }
  }
  // The package's parameter type contains `any`.
  const given = resolvers as Parameters<typeof addResolversToSchema>[0]['resolvers'];
  const made = addResolversToSchema({ schema, resolvers: given });
  restateDefaults(made);
  return made;
}

/**
 * Reads the defaults again from the SDL, inner types first. The schema builder read nested defaults, as in
 * `input: Input! = {}`, before the enums had their values.
 */
function restateDefaults(schema: GraphQLSchema): void {
  const done = new Set<GraphQLInputObjectType>();
  const restateFields = (type: GraphQLInputObjectType): void => {
    if (done.has(type)) return;
    done.add(type);
    for (const field of Object.values(type.getFields())) {
      const inner = getNamedType(field.type);
      if (isInputObjectType(inner)) restateFields(inner);
      restate(field);
    }
  };
  const types = Object.values(schema.getTypeMap());
  types.filter(isInputObjectType).forEach(restateFields);
  for (const type of types) {
    if (!isObjectType(type) && !isInterfaceType(type)) continue;
    for (const field of Object.values(type.getFields())) field.args.forEach(restate);
  }
}

function restate(input: GraphQLArgument | GraphQLInputField): void {
  const written = input.astNode?.defaultValue;
  if (written) input.defaultValue = valueFromAST(written, input.type);
}

/** True for introspection's enums and for federation's own types (`_Any`, `federation__Scope`, `link__Purpose`). */
const isFederationName = (name: string): boolean => name.startsWith('_') || name.includes('__');
