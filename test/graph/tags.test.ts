import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import {
  buildSchema,
  getNamedType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isTypeDefinitionNode,
  type GraphQLSchema,
} from 'graphql';
import { createGraph } from '../../src/graph/graph.ts';
import { argumentOf, readModel, ROOT_TYPES } from '../../src/graph/federation/subgraph-model.ts';
import { readSdl, schemaUrl, SUBGRAPHS } from '../../src/graph/federation/sdl.ts';
import type { ScopeGroups } from '../../src/graph/federation/scopes.ts';

/** The scopes of the people and programs that set up an account. No shop and no checkout needs them. */
const ADMIN_SCOPES = [
  'anti-fraud-services.write',
  'api-key-pairs.read',
  'api-key-pairs.write',
  'audit.read',
  'dashboard-people.read',
  'dashboard-people.write',
  'merchant-accounts.write',
  'payment-services.write',
  'settlements.write',
  'webhook-subscriptions.write',
];

/** Operations for a person who decides an unknown outcome. Their scopes are those of all payments. */
const ADMIN_OPERATIONS = ['Query.unresolvedOperations', 'Mutation.resolveOperation'];

const SANDBOX_SCOPES = ['three-ds-scenarios.read', 'three-ds-scenarios.write'];

const models = SUBGRAPHS.map((name) => readModel({ name, resolvers: {} }, readSdl(name)));

type Tagged = {
  readonly directives?: readonly Parameters<typeof argumentOf>[0][];
  readonly name: { readonly value: string };
};

function tagsOf({ directives = [] }: Tagged): readonly string[] {
  return directives
    .filter(({ name }) => name.value === 'tag')
    .map((directive) => argumentOf(directive, 'name'))
    .map((value) => (value && 'value' in value ? String(value.value) : ''));
}

const operations = models.flatMap(({ objects, scopes }) =>
  ROOT_TYPES.flatMap((root) =>
    [...(objects.get(root)?.fields.values() ?? [])].map((field) => {
      const path = `${root}.${field.name.value}`;
      const description = field.description?.value ?? '';
      return { path, description, tags: tagsOf(field), scopes: scopes.get(path) ?? [] };
    }),
  ),
);

const needs = (groups: ScopeGroups, scopes: readonly string[]): boolean =>
  groups.length > 0 && groups.every((group) => group.some((scope) => scopes.includes(scope)));

describe('an operation', () => {
  it('has the tag "sandbox" exactly if it needs a scope of the sandbox', () => {
    const tagged = operations.filter(({ tags }) => tags.includes('sandbox'));
    const wanted = operations.filter(({ scopes }) => needs(scopes, SANDBOX_SCOPES));

    expect(tagged.map(({ path }) => path)).toEqual(wanted.map(({ path }) => path));
    expect(tagged).toHaveLength(7);
  });

  it('has the tag "sandbox" exactly if it is refused with SANDBOX_ONLY', () => {
    const tagged = operations.filter(({ tags }) => tags.includes('sandbox'));
    const refused = operations.filter(({ description }) => description.includes('SANDBOX_ONLY'));

    expect(refused.map(({ path }) => path)).toEqual(tagged.map(({ path }) => path));
  });

  it('has the tag "admin" exactly if it needs a scope of operators or is theirs alone', () => {
    const tagged = operations.filter(({ tags }) => tags.includes('admin'));
    const wanted = operations.filter(
      ({ path, scopes }) => needs(scopes, ADMIN_SCOPES) || ADMIN_OPERATIONS.includes(path),
    );

    expect(tagged.map(({ path }) => path)).toEqual(wanted.map(({ path }) => path));
    expect(tagged.map(({ path }) => path)).toEqual(expect.arrayContaining(ADMIN_OPERATIONS));
    expect(tagged.length).toBeGreaterThan(20);
  });

  it('has no other tag', () => {
    expect(new Set(operations.flatMap(({ tags }) => tags))).toEqual(new Set(['sandbox', 'admin']));
  });
});

describe('the tag "sandbox"', () => {
  const schema = buildSchema(readFileSync(schemaUrl('api'), 'utf8'));
  const taggedTypes = new Set(
    models.flatMap(({ document }) =>
      document.definitions
        .filter((node) => isTypeDefinitionNode(node))
        .filter((node) => tagsOf(node).includes('sandbox'))
        .map(({ name }) => name.value),
    ),
  );
  const taggedFields = new Set(
    operations.filter(({ tags }) => tags.includes('sandbox')).map(({ path }) => path),
  );

  it('marks every type that only such operations reach, and no other', () => {
    const without = reached(schema, taggedFields);
    const onlyThere = [...reached(schema, new Set())].filter((type) => !without.has(type));

    expect(onlyThere.toSorted()).toEqual([...taggedTypes].toSorted());
    expect(taggedTypes.size).toBeGreaterThan(10);
  });
});

/** Returns the types that operations and refusals reach without these fields. */
function reached(schema: GraphQLSchema, left: ReadonlySet<string>): ReadonlySet<string> {
  const found = new Set<string>();
  const visit = (name: string): void => {
    if (found.has(name)) return;
    found.add(name);
    const type = schema.getType(name);
    if (isInterfaceType(type)) schema.getPossibleTypes(type).forEach((each) => visit(each.name));
    if (isInputObjectType(type))
      for (const field of Object.values(type.getFields())) visit(getNamedType(field.type).name);
    if (!isObjectType(type) && !isInterfaceType(type)) return;
    for (const field of Object.values(type.getFields())) {
      if (left.has(`${name}.${field.name}`)) continue;
      visit(getNamedType(field.type).name);
      for (const { type: input } of field.args) visit(getNamedType(input).name);
    }
    type.getInterfaces().forEach((each) => visit(each.name));
  };
  ROOT_TYPES.forEach(visit);
  return found;
}

describe('tags', () => {
  const SANDBOX = '@tag(name: "sandbox")';

  it('stay in the supergraph, and not in the API', () => {
    expect(readFileSync(schemaUrl('supergraph'), 'utf8')).toContain(SANDBOX);
    expect(readFileSync(schemaUrl('api'), 'utf8')).not.toContain('@tag');
  });

  it('stay in the SDL that a router reads, with scopes and without', async () => {
    const graph = createGraph();
    for (const publishesScopes of [true, false]) {
      const sdl = await sdlOf(graph.subgraphs({ publishesScopes }).get('three-ds'));
      expect(sdl).toContain(SANDBOX);
      expect(sdl).toContain('"@tag"');
      expect(sdl.includes('@requiresScopes')).toBe(publishesScopes);
    }
  });

  it('mean nothing to the fused schema', () => {
    const { schema } = createGraph();

    expect(schema.getDirective('tag')).toBeUndefined();
    expect(schema.getQueryType()?.getFields()).toHaveProperty('threeDSScenarios');
  });
});

async function sdlOf(subgraph: GraphQLSchema | undefined): Promise<string> {
  const service = subgraph?.getQueryType()?.getFields()['_service'];
  const answer = (await service?.resolve?.(null, {}, {}, {} as never)) as
    | { readonly sdl: string }
    | undefined;
  return answer?.sdl ?? '';
}
