import { describe, expect, it } from '@jest/globals';
import { graphql } from 'graphql';
import { SUBGRAPHS } from '../../src/graph/federation/sdl.ts';
import { createGraph } from '../../src/graph/graph.ts';
import { composerFaults } from './composer-rules.ts';

const graph = createGraph();

/** Reads the SDLs as a router reads them. */
async function servedSdls(publishesScopes: boolean): Promise<ReadonlyMap<string, string>> {
  const sdls = new Map<string, string>();
  for (const [name, schema] of graph.subgraphs({ publishesScopes })) {
    const { data } = await graphql({ schema, source: '{ _service { sdl } }' });
    sdls.set(name, (data?.['_service'] as { readonly sdl: string }).sdl);
  }
  return sdls;
}

it.each([true, false])(
  'the served SDLs keep the published rules of Apollo’s composer, with scopes: %s',
  async (publishesScopes) => {
    const sdls = await servedSdls(publishesScopes);

    expect(sdls.size).toBe(SUBGRAPHS.length);
    expect(composerFaults(sdls)).toEqual([]);
  },
);

const LINK =
  'extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key", "@shareable"])';

describe('a rule', () => {
  it.each([
    ['INVALID_GRAPHQL @oneOf has no definition in a', ['input A @oneOf { a: Int }']],
    ['INVALID_GRAPHQL @tag has no definition in a', ['type A @tag(name: "x") { a: Int }']],
    [
      'INCONSISTENT_DESCRIPTION A refers only, and has a description in a',
      ['"An A." type A @key(fields: "id", resolvable: false) { id: ID! }'],
    ],
    ['KEY_INVALID_FIELDS A.key in a', ['type A @key(fields: "key") { id: ID! }']],
    ['KEY_FIELDS_HAS_ARGS A.id in a', ['type A @key(fields: "id") { id(of: Int): ID! }']],
    ['KEY_FIELDS_SELECT_INVALID_TYPE A.id in a', ['type A @key(fields: "id") { id: [ID!]! }']],
    ['INVALID_FIELD_SHARING A.a', ['type A @shareable { a: Int }', 'type A { a: Int }']],
    ['FIELD_TYPE_MISMATCH A.a', ['type A @shareable { a: Int }', 'type A @shareable { a: Float }']],
    ['REQUIRED_INPUT_FIELD_MISSING_IN_SOME_SUBGRAPH A', ['input A { a: Int }', 'input A { a: Int b: Int! }']],
    ['ENUM_VALUE_MISMATCH A', ['enum A { X }', 'enum A { X Y }']],
  ])('finds %s', (fault, sdls) => {
    const named = sdls.map((sdl, index) => [index === 0 ? 'a' : 'b', `${LINK}\n${sdl}`] as const);

    expect(composerFaults(new Map(named))).toEqual([fault]);
  });

  it('finds an import that the specification does not have', () => {
    const sdl = LINK.replace('"@shareable"', '"@oneOf"');

    expect(composerFaults(new Map([['a', sdl]]))).toEqual(['INVALID_LINK_DIRECTIVE_USAGE @oneOf in a']);
  });
});
