import { buildSubgraphSchema, type GraphQLSchemaModule } from '@apollo/subgraph';
import { isUnionType, type GraphQLFieldResolver, type GraphQLResolveInfo, type GraphQLSchema } from 'graphql';
import type { GraphContext } from '../context.ts';
import { invalidArguments } from '../errors.ts';
import type { GuardedSubgraph, Resolve } from './enforce-scopes.ts';
import { domainResolvers, withDefaults } from './executable-schema.ts';
import { alignResolvers } from './executor-parity.ts';
import { definingOneOf, withoutScopes, withoutStubDescriptions } from './published-sdl.ts';
import { isStub, type SubgraphModel } from './subgraph-model.ts';

export type ServedSubgraphOptions = {
  /** False leaves `@requiresScopes` out of the SDL that a router reads. */
  readonly publishesScopes: boolean;
};

/** Builds the schema for a router: `_service`, `_entities`, and the fields of this subgraph alone. */
export function servedSubgraph(
  model: SubgraphModel,
  guarded: GuardedSubgraph | undefined,
  { publishesScopes }: ServedSubgraphOptions,
): GraphQLSchema {
  const described = withoutStubDescriptions(model);
  // The subgraph's generated types checked the resolvers.
  const resolvers = { ...resolversOf(model, guarded), ...domainResolvers(described) } as NonNullable<
    GraphQLSchemaModule['resolvers']
  >;
  const typeDefs = publishesScopes ? described : withoutScopes(described);
  const schema = buildSubgraphSchema([{ typeDefs, resolvers }]);
  const { _service: service, _entities: entities } = schema.getQueryType()?.getFields() ?? {};
  if (service?.resolve) service.resolve = defining(service.resolve as Resolve);
  if (entities?.resolve)
    entities.resolve = eachApart(entities.resolve as Resolve, model.name, entityNames(schema));
  return alignResolvers(withDefaults(schema));
}

function resolversOf(model: SubgraphModel, guarded: GuardedSubgraph | undefined): object {
  const resolvers: Record<string, Record<string, unknown>> = {};
  const put = (type: string, name: string, value: unknown) =>
    (resolvers[type] = { ...resolvers[type], [name]: value });
  for (const [path, field] of guarded?.fields ?? []) {
    const [type = '', name = ''] = path.split('.');
    put(type, name, field);
  }
  for (const object of model.objects.values()) {
    // A reference to an entity of another home resolves to null here. The default would echo the reference.
    if (isStub(object)) put(object.name, '__resolveReference', () => null);
  }
  for (const [type, resolve] of guarded?.references ?? []) put(type, '__resolveReference', resolve);
  return resolvers;
}

type QueryResolver = GraphQLFieldResolver<unknown, GraphContext>;

const defining =
  (resolve: Resolve): QueryResolver =>
  (source, args, context, info) => {
    const { sdl } = resolve(source, args, context, info) as { readonly sdl: string };
    return { sdl: definingOneOf(sdl) };
  };

/** Resolves each reference by itself. A malformed one fails in its own place, and the others get their answers. */
function eachApart(resolve: Resolve, subgraph: string, entities: ReadonlySet<string>): QueryResolver {
  const one = (reference: unknown, context: GraphContext, info: GraphQLResolveInfo): unknown => {
    const answers = resolve(null, { representations: [reference] }, context, info) as readonly unknown[];
    return answers[0];
  };
  return (_source, { representations }: { readonly representations: readonly unknown[] }, context, info) =>
    representations.map(async (reference, index) => {
      if (isReference(reference, entities)) return await one(reference, context, info);
      const message = `A reference is an object with the __typename of an entity of the subgraph "${subgraph}".`;
      throw invalidArguments([{ kind: 'InvalidInput', path: ['representations', String(index)], message }]);
    });
}

const isReference = (value: unknown, entities: ReadonlySet<unknown>): boolean =>
  typeof value === 'object' && value !== null && '__typename' in value && entities.has(value.__typename);

/** Returns the names of the types that a router may refer to. */
function entityNames(schema: GraphQLSchema): ReadonlySet<string> {
  const union = schema.getType('_Entity');
  return new Set(isUnionType(union) ? union.getTypes().map(({ name }) => name) : []);
}
