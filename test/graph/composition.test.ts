import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { Kind } from 'graphql';
import { composedFiles } from '../../src/graph/compose.ts';
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
