import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import * as limits from '../../src/modules/routing/model/limits.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { openShop, type Input, type MadeVersion, type Shop } from './harness.ts';

const page = readFileSync('src/docs/guides/routing-rules.md', 'utf8');

/** The blocks of a language, each with the heading above it. */
const blocksOf = (language: string): readonly (readonly [heading: string, text: string])[] =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm'))].map(
    ({ index, 1: text = '' }) => [
      page
        .slice(0, index)
        .match(/^###? (.*)$/gm)
        ?.at(-1)
        ?.replace(/^#+ /, '') ?? '',
      text,
    ],
  );

let server: TestServer;
let shop: Shop;
beforeAll(async () => {
  server = await startTestServer();
  const takes = { acceptedCurrencies: ['EUR', 'USD'], acceptedCountries: ['DE', 'US'] };
  shop = await openShop(server, [takes, takes, takes]);
});
afterAll(() => server.stop());

it.each(blocksOf('json'))('the example "%s" makes a version without warnings', async (_, text) => {
  const [first, second] = shop.services;
  const input = JSON.parse(
    text
      .replaceAll('01900000-0000-7000-8000-00000000000a', first)
      .replaceAll('01900000-0000-7000-8000-00000000000b', second),
  ) as { rules: readonly Input[] };

  const made: MadeVersion = await shop.makeVersion(input.rules);

  expect(made).toMatchObject({ warnings: [], userErrors: [] });
});

it('the documents make a rule set, a version and its activation', async () => {
  const [ruleSet, version, activation, valueSet, simulation] = blocksOf('graphql').map(([, text]) => text);
  const run = async <Payload>(document = '', variables: Input = {}) => {
    const { body } = await server.graphql<Readonly<Record<string, Payload>>>(document, variables, {
      token: shop.token,
    });
    const [payload] = Object.values(body.data ?? {});
    if (!payload) throw new Error(JSON.stringify(body.errors));
    return payload;
  };
  const input = { rules: [{ name: 'All', action: { positions: true } }] };

  const { routingRuleSetId: ruleSetId } = await run<{ routingRuleSetId: string }>(ruleSet);
  const { routingRuleSetVersionId: versionId } = await run<{ routingRuleSetVersionId: string }>(version, {
    ruleSetId,
    input,
  });
  await run(activation, { versionId });
  const shared = await run<{ routingValueSetId: string | null }>(valueSet);
  expect(shared.routingValueSetId).toEqual(expect.any(String));
  const from = '2026-01-01T00:00:00Z';
  const simulated = await run<{ routingSimulationId: string | null }>(simulation, { versionId, from });
  expect(simulated.routingSimulationId).toEqual(expect.any(String));

  expect(await shop.ask('{ answer: activeRouting { note version { id } } }')).toEqual({
    note: 'Reviewed by Kim',
    version: { id: versionId },
  });
});

it('the table of limits is that of the code', () => {
  const rows = [...page.matchAll(/^\| [a-z][^|]*\| ([\d,]+) +\|$/gm)].map(([, most = '']) =>
    Number(most.replaceAll(',', '')),
  );

  expect(rows).toEqual([
    ...[limits.RULES_MAX, limits.CONDITIONS_MAX, limits.ALTERNATIVES_MAX, limits.VALUES_MAX],
    ...[limits.VALUES_TOTAL_MAX, limits.CHARACTERS_MAX, limits.SERVICES_MAX, limits.SHARES_MAX],
    ...[limits.COMPARED_MAX, limits.PRICES_MAX],
  ]);
});
