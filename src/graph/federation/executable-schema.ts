import { makeExecutableSchema } from '@graphql-tools/schema';
import {
  getNamedType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  Kind,
  valueFromAST,
  type DocumentNode,
  type GraphQLArgument,
  type GraphQLInputField,
  type GraphQLInputObjectType,
  type GraphQLSchema,
} from 'graphql';
import { scalars } from '../scalars.ts';

/**
 * Builds a schema with the domain's values, without resolvers of fields. An enum value is its name in lower case, in answers,
 * arguments and defaults alike. Each custom scalar comes from scalars.ts. Throws when scalars.ts lacks a scalar.
 */
export function executableSchema(typeDefs: DocumentNode): GraphQLSchema {
  // The package's parameter type contains `any`.
  const resolvers = domainResolvers(typeDefs) as NonNullable<
    Parameters<typeof makeExecutableSchema>[0]['resolvers']
  >;
  return withDefaults(makeExecutableSchema({ typeDefs, resolvers }));
}

/** Returns the resolvers of the enums and scalars that a document defines. Throws when scalars.ts lacks a scalar. */
export function domainResolvers(document: DocumentNode): Readonly<Record<string, object>> {
  const resolvers: Record<string, object> = {};
  for (const definition of document.definitions) {
    if (definition.kind === Kind.ENUM_TYPE_DEFINITION) {
      const names = (definition.values ?? []).map(({ name }) => name.value);
      resolvers[definition.name.value] = Object.fromEntries(names.map((name) => [name, name.toLowerCase()]));
    } else if (definition.kind === Kind.SCALAR_TYPE_DEFINITION) {
      const name = definition.name.value;
      const scalar = scalars[name];
      if (!scalar) throw new Error(`The scalar ${name} is not in scalars.ts.`);
      resolvers[name] = scalar;
    }
  }
  return resolvers;
}

/**
 * Reads the defaults of a schema again from its SDL, inner types first, and returns the schema. A schema builder reads nested
 * defaults, as in `input: Input! = {}`, before the enums have their values.
 */
export function withDefaults(schema: GraphQLSchema): GraphQLSchema {
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
  return schema;
}

function restate(input: GraphQLArgument | GraphQLInputField): void {
  const written = input.astNode?.defaultValue;
  if (written) input.defaultValue = valueFromAST(written, input.type);
}
