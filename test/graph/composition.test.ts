import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { Kind } from 'graphql';
import { composedFiles, supergraphFor, type RouterOptions } from '../../src/graph/compose.ts';
import { readModel } from '../../src/graph/federation/subgraph-model.ts';
import { readSdl, schemaUrl, SUBGRAPHS } from '../../src/graph/federation/sdl.ts';

describe('the composed schema', () => {
  it.each([...composedFiles()])(
    'is committed as it is composed now: %s (else run npm run compose)',
    (name, text) => {
      expect(readFileSync(schemaUrl(name), 'utf8')).toBe(text);
    },
  );

  it('describes an entity as its home subgraph does, not as a referring subgraph', () => {
    const api = composedFiles().get('api') ?? '';

    expect(api).not.toContain('of another part of the graph');
  });

  it('describes every field that starts an operation', () => {
    const undescribed = SUBGRAPHS.flatMap((name) => {
      const { document, objects } = readModel({ name, resolvers: {} }, readSdl(name));
      const roots = ['Query', 'Mutation', 'Subscription'].flatMap((root) => [
        ...(objects.get(root)?.fields.values() ?? []),
      ]);
      return [
        ...roots,
        ...document.definitions.filter((node) => node.kind === Kind.INTERFACE_TYPE_DEFINITION),
      ]
        .filter(({ description }) => !description)
        .map((node) => node.name.value);
    });

    expect(undescribed).toEqual([]);
  });

  it('answers userErrors from every mutation', () => {
    const without = SUBGRAPHS.flatMap((name) => {
      const { objects } = readModel({ name, resolvers: {} }, readSdl(name));
      return [...(objects.get('Mutation')?.fields.values() ?? [])]
        .map(({ type }) =>
          type.kind === Kind.NON_NULL_TYPE && type.type.kind === Kind.NAMED_TYPE ? type.type.name.value : '?',
        )
        .filter((payload) => !objects.get(payload)?.fields.has('userErrors'));
    });

    expect(without).toEqual([]);
  });
});

describe('a supergraph for a router', () => {
  const base = 'https://pay.example.com';
  const of = (given: Partial<RouterOptions>): string =>
    supergraphFor({ base, urls: [], publishesScopes: true, ...given });

  it('has the address of each subgraph', () => {
    const supergraph = of({ urls: ['events=https://other.example.com/graphql'] });
    const urls = [...supergraph.matchAll(/@join__graph\(\s*name: "([^"]+)",?\s+url: "([^"]+)"\s*\)/g)];

    expect(new Map(urls.map(([, name, url]) => [name, url]))).toEqual(
      new Map(
        SUBGRAPHS.map((name) => [
          name,
          name === 'events' ? 'https://other.example.com/graphql' : `${base}/subgraphs/${name}`,
        ]),
      ),
    );
  });

  it('has scopes, or none', () => {
    expect(of({})).toContain('@requiresScopes(scopes: [[');
    expect(of({ publishesScopes: false })).not.toContain('requiresScopes');
  });

  it.each<readonly [Partial<RouterOptions>, string]>([
    [{ urls: ['nothing=https://other.example.com'] }, 'No subgraph has the name "nothing"'],
    [{ urls: ['events=other'] }, 'The address of "events" is no URL'],
    [{ base: undefined }, 'No address for accounts, '],
  ])('is refused: %j', (given, message) => {
    expect(() => of(given)).toThrow(message);
  });
});

it('the guide names every subgraph', () => {
  const guide = readFileSync('src/docs/guides/federation.md', 'utf8');

  expect([...guide.matchAll(/^- `([a-z-]+)`$/gm)].map(([, name]) => name)).toEqual(SUBGRAPHS.toSorted());
});
