import {
  getNamedType,
  getNullableType,
  isAbstractType,
  isCompositeType,
  isListType,
  isObjectType,
  type GraphQLField,
  type GraphQLSchema,
} from 'graphql';
import { readProperty, type Resolve } from './enforce-scopes.ts';
import { after, isThenable } from './references.ts';

/**
 * Changes resolvers in place so that both executors give the same answers. The compiler differs in three ways:
 *
 * - It does not await properties that hold objects.
 * - It misplaces list elements that fail while others are pending.
 * - It crashes if `resolveType` throws.
 */
export function alignResolvers(schema: GraphQLSchema): GraphQLSchema {
  for (const type of Object.values(schema.getTypeMap())) {
    if (type.name.startsWith('__')) continue;
    if (isAbstractType(type)) type.resolveType = (value) => typeNameOf(value);
    if (isObjectType(type)) Object.values(type.getFields()).forEach(alignResolver);
  }
  return schema;
}

function alignResolver(field: GraphQLField<unknown, unknown>): void {
  const composite = isCompositeType(getNamedType(field.type));
  const resolve = field.resolve ?? (composite ? readProperty(field.name) : undefined);
  if (!resolve) return;
  const aligned = isListType(getNullableType(field.type)) ? settling(resolve) : resolve;
  field.resolve = aligned as NonNullable<typeof field.resolve>;
}

const settling =
  (resolve: Resolve): Resolve =>
  (source, args, context, info) =>
    after(resolve(source, args, context, info), settleList);

/**
 * Waits for all elements of a list. A failed element becomes its error, which executors report for that
 * element.
 */
function settleList(value: unknown): unknown {
  if (!Array.isArray(value) || !value.some(isThenable)) return value;
  return Promise.all(
    value.map(async (item: unknown) => {
      try {
        return await item;
      } catch (error) {
        return error instanceof Error ? error : new Error('A list element failed.', { cause: error });
      }
    }),
  );
}

const typeNameOf = (value: unknown): string | undefined =>
  typeof value === 'object' && value !== null && '__typename' in value && typeof value.__typename === 'string'
    ? value.__typename
    : undefined;
