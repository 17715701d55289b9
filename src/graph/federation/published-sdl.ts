import {
  isTypeDefinitionNode,
  Kind,
  parse,
  visit,
  type DocumentNode,
  type FieldDefinitionNode,
  type NameNode,
} from 'graphql';
import { isStub, type SubgraphModel } from './subgraph-model.ts';

/**
 * Removes the descriptions of referenced entities, so that composition takes the description of the owning subgraph.
 */
export function withoutStubDescriptions({ document, objects }: SubgraphModel): DocumentNode {
  return visit<DocumentNode>(document, {
    ObjectTypeDefinition: (node) => {
      const object = objects.get(node.name.value);
      if (!object || !isStub(object)) return undefined;
      const { description: _, ...rest } = node;
      return rest;
    },
  });
}

const SCOPES = 'requiresScopes';

/**
 * Removes `@requiresScopes`, for routers that would enforce it in a way of their own. The subgraph itself enforces the scopes
 * in any case.
 */
export function withoutScopes(document: DocumentNode): DocumentNode {
  return visit<DocumentNode>(document, {
    Directive: ({ name }) => (name.value === SCOPES ? null : undefined),
    ListValue: ({ values }, _key, _parent, _path, ancestors) =>
      isLink(ancestors.at(-2))
        ? {
            kind: Kind.LIST,
            values: values.filter((each) => each.kind !== Kind.STRING || each.value !== `@${SCOPES}`),
          }
        : undefined,
  });
}

const isLink = (node: unknown): boolean =>
  typeof node === 'object' && node !== null && 'kind' in node && node.kind === Kind.DIRECTIVE;

/**
 * Gives types and root fields other names, for a router whose graph has the names already. The names are such as `Event` and
 * `Query.events`. The router must send the old names to the subgraph.
 */
export function renamed(document: DocumentNode, names: ReadonlyMap<string, string>): DocumentNode {
  if (names.size === 0) return document;
  const nameOf = (name: NameNode): NameNode => ({ ...name, value: names.get(name.value) ?? name.value });
  return visit<DocumentNode>(document, {
    enter: (node) => {
      if (node.kind === Kind.NAMED_TYPE) return { ...node, name: nameOf(node.name) };
      if (!isTypeDefinitionNode(node)) return undefined;
      const type = node.name.value;
      const rename = (field: FieldDefinitionNode): FieldDefinitionNode => ({
        ...field,
        name: { ...field.name, value: names.get(`${type}.${field.name.value}`) ?? field.name.value },
      });
      if (node.kind !== Kind.OBJECT_TYPE_DEFINITION) return { ...node, name: nameOf(node.name) };
      return { ...node, name: nameOf(node.name), fields: (node.fields ?? []).map(rename) };
    },
  });
}

const ONE_OF = 'directive @oneOf on INPUT_OBJECT';

/** Adds the definition of `@oneOf` to a text that uses it. Some composers know no definition of their own. */
export const definingOneOf = (sdl: string): string =>
  parse(sdl).definitions.some(
    (node) =>
      node.kind === Kind.INPUT_OBJECT_TYPE_DEFINITION &&
      node.directives?.some(({ name }) => name.value === 'oneOf'),
  )
    ? `${sdl.trimEnd()}\n\n${ONE_OF}\n`
    : sdl;
