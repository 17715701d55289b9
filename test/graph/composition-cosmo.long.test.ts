import { beforeAll, expect, it } from '@jest/globals';
import { graphql, parse } from 'graphql';
import { SUBGRAPHS } from '../../src/graph/federation/sdl.ts';
import { createGraph } from '../../src/graph/graph.ts';
import { cosmoFaults, type ComposedSubgraph } from '../composers/cosmo.ts';
import { INSTALL_MS, installApart } from '../support/install-apart.ts';

// The composer of Cosmo takes the SDLs as they are served. composition.test.ts composes them as Hive does.

beforeAll(() => installApart('test/composers'), INSTALL_MS);

async function served(publishesScopes: boolean): Promise<readonly ComposedSubgraph[]> {
  const subgraphs = [...createGraph().subgraphs({ publishesScopes })];
  return await Promise.all(
    subgraphs.map(async ([name, schema]) => {
      const { data } = await graphql({ schema, source: '{ _service { sdl } }' });
      const { sdl } = data?.['_service'] as { readonly sdl: string };
      return { name, url: `https://pay.example.com/subgraphs/${name}`, definitions: parse(sdl) };
    }),
  );
}

it.each([true, false])('composes all subgraphs, with scopes: %s', async (publishesScopes) => {
  const subgraphs = await served(publishesScopes);

  expect(subgraphs).toHaveLength(SUBGRAPHS.length);
  expect(await cosmoFaults(subgraphs)).toEqual([]);
});

it('refuses a subgraph that defines a field of another otherwise', async () => {
  const other = {
    ...{ name: 'shop', url: 'https://shop.example.com/graphql' },
    definitions: parse('type Query { transactions: Int }'),
  };

  expect(await cosmoFaults([...(await served(true)), other])).not.toEqual([]);
});
