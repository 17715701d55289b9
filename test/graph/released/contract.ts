import {
  Kind,
  parse,
  print,
  visit,
  type ConstDirectiveNode,
  type DefinitionNode,
  type DocumentNode,
} from 'graphql';
import { readModel, type SubgraphModel } from '../../../src/graph/federation/subgraph-model.ts';
import type { ScopeGroups } from '../../../src/graph/federation/scopes.ts';
import { readComposed, readSdl, SUBGRAPHS } from '../../../src/graph/federation/sdl.ts';

/**
 * Returns the promises of the present schema to clients and to other subgraphs. It is the API without descriptions, with the
 * keys of entities and the scopes.
 */
export const presentContract = (): string =>
  contractOf(
    readComposed().api,
    SUBGRAPHS.map((name) => readModel({ name, resolvers: {} }, readSdl(name))),
  );

/** Returns the promises of an API and its subgraphs, as one SDL. */
export function contractOf(api: DocumentNode, models: readonly SubgraphModel[]): string {
  const document: DocumentNode = {
    ...api,
    definitions: withoutDescriptions(api).definitions.map((node): DefinitionNode => {
      if (node.kind !== Kind.OBJECT_TYPE_DEFINITION) return node;
      const type = node.name.value;
      const more = [...keysOf(models, type), ...scopesOf(models.map(({ guards }) => guards.get(type)))];
      const fields = (node.fields ?? []).map((field) => {
        const path = `${type}.${field.name.value}`;
        return withDirectives(field, scopesOf(models.map(({ scopes }) => scopes.get(path))));
      });
      return withDirectives({ ...node, fields }, more);
    }),
  };
  return `${print(document)}\n`;
}

const withoutDescriptions = (document: DocumentNode): DocumentNode =>
  visit<DocumentNode>(document, {
    enter: (node) => ('description' in node ? { ...node, description: undefined } : undefined),
  });

type Annotated = { readonly directives?: readonly ConstDirectiveNode[] | undefined };

const withDirectives = <Node extends Annotated>(node: Node, more: readonly ConstDirectiveNode[]): Node => ({
  ...node,
  directives: [...(node.directives ?? []), ...more],
});

/** Returns `@key` for each key by which some subgraph resolves the type. */
const keysOf = (models: readonly SubgraphModel[], type: string): readonly ConstDirectiveNode[] =>
  unique(
    models
      .flatMap(({ objects }) => objects.get(type)?.keys ?? [])
      .filter(({ resolvable }) => resolvable)
      .map(({ fields }) => `@key(fields: "${fields.join(' ')}")`),
  ).map(directive);

function scopesOf(found: readonly (ScopeGroups | undefined)[]): readonly ConstDirectiveNode[] {
  const groups = unique(found.flatMap((each) => each ?? []).map((group) => JSON.stringify(group)));
  return groups.length > 0 ? [directive(`@requiresScopes(scopes: [${groups.join(', ')}])`)] : [];
}

const unique = (texts: readonly string[]): string[] => [...new Set(texts)].sort();

/** Parses one directive with constant arguments. */
function directive(text: string): ConstDirectiveNode {
  const [definition] = parse(`scalar A ${text}`, { noLocation: true }).definitions;
  const found = definition?.kind === Kind.SCALAR_TYPE_DEFINITION ? definition.directives?.[0] : undefined;
  if (!found) throw new Error(`${text} is no directive.`);
  return found;
}
