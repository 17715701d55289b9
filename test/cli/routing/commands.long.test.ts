import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { RoutingFile } from '../../../src/cli/routing/file.ts';
import { openShop, type Input, type Shop } from '../../routing/harness.ts';
import { paygraph, type Ended } from '../../support/command.ts';
import { startTestServer, type TestServer } from '../../support/server.ts';

let server: TestServer;
let folder: string;
let path: string;
let shop: Shop;
beforeAll(async () => {
  server = await startTestServer();
  folder = await mkdtemp(join(tmpdir(), 'paygraph-routing-'));
  path = join(folder, 'routing.json');
});
beforeEach(async () => {
  shop = await openShop(server);
  await rm(path, { force: true });
});
afterAll(async () => {
  await Promise.all([server.stop(), rm(folder, { recursive: true })]);
});

/** Runs a command as the merchant's pipeline does: with the address and a token. */
const routing = (action: string, ...words: readonly string[]): Promise<Ended> =>
  runAs(shop, action, ...words);

const runAs = ({ token }: Shop, action: string, ...words: readonly string[]): Promise<Ended> =>
  paygraph(['routing', action, path, '--url', server.url, ...words], { TOKEN: token }).ended;

const write = (file: Input): Promise<void> => writeFile(path, JSON.stringify(file));

const read = async (): Promise<RoutingFile> => JSON.parse(await readFile(path, 'utf8')) as RoutingFile;

const FILE = {
  ruleSet: 'Cards',
  note: 'Second service first',
  valueSets: [
    { name: 'Near', kind: 'COUNTRY', values: ['US', 'CA'] },
    { name: 'Issuers', kind: 'BIN', values: ['411111', '520000-529999'] },
  ],
  rules: [
    {
      name: 'Near cards',
      conditions: [{ fact: { countryIn: 'Near' } }, { fact: { binIn: 'Issuers' } }],
      action: { order: { paymentServices: ['Service 2'] } },
    },
  ],
};

const versions = () =>
  shop.ask<{ nodes: readonly { number: number }[] }>(
    'query ($id: ID!) { answer: routingRuleSetVersions(ruleSetId: $id) { nodes { number } } }',
    { id: shop.ruleSetId },
  );

describe('rules in a repository', () => {
  it('go from a file to payments, and back', async () => {
    await write(FILE);

    const tried = await routing('push', '--dry-run');
    expect(tried).toMatchObject({ code: 3, stderr: '' });
    expect(tried.stdout.split('\n')).toEqual([
      'The value set "Near" is new: US and CA.',
      'The value set "Issuers" is new: 411111 and 520000-529999.',
      'Rule "Near cards" is new at position 1: if country is in "Near" and bin is in "Issuers", ask Service 2.',
      'Nothing was changed, because this was a dry run.',
      '',
    ]);
    expect((await versions()).nodes).toEqual([]);

    const pushed = await routing('push', '--json');
    expect(pushed).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(pushed.stdout)).toMatchObject({ warnings: [], version: { number: 1 } });
    expect(await shop.asked()).toEqual([1]);
    expect(await routing('push', '--dry-run')).toEqual({ code: 0, stdout: 'Nothing to do.\n', stderr: '' });

    expect(await routing('activate', '--note', 'Reviewed')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/\nVersion 1 of "Cards" decides now\.\n$/),
    });
    expect(await shop.asked()).toEqual([2]);
    expect(await routing('activate')).toMatchObject({ code: 0, stdout: 'Nothing to do.\n' });

    await rm(path);
    expect((await routing('pull')).code).toBe(0);
    expect(await read()).toEqual(FILE);
  });

  it('serve another account with other ids', async () => {
    const production = await openShop(server);
    await write(FILE);
    await runAs(shop, 'push');
    await runAs(production, 'push');
    await runAs(production, 'activate');

    expect([await shop.asked(), await production.asked()]).toEqual([[1], [2]]);
  });

  it('follow a change of a shared list alone', async () => {
    await write(FILE);
    await routing('push');
    const [near, issuers] = FILE.valueSets;
    await write({ ...FILE, valueSets: [{ ...near, values: ['US'] }, issuers] });

    expect(await routing('push')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('The value set "Near" loses CA.\nVersion 2 is made.'),
    });
    expect(await routing('push')).toMatchObject({ stdout: 'Nothing to do.\n' });
  });

  it('go back to a former version by its number, and end', async () => {
    await write({ ruleSet: 'Cards', rules: [rule('Third', 'Service 3')] });
    await routing('push');
    await write({ ruleSet: 'Cards', rules: [rule('Second', 'Service 2')] });
    await routing('push');
    await routing('activate');
    expect(await shop.asked()).toEqual([2]);

    expect(await routing('activate', '--number', '1', '--dry-run')).toMatchObject({
      code: 3,
      stdout: expect.stringMatching(/^Rule "Second" is gone\.\nRule "Third" is new at position 1/),
    });
    await routing('activate', '--number', '1');
    expect(await shop.asked()).toEqual([3]);
    await routing('activate', '--none');
    expect(await shop.asked()).toEqual([1]);
  });

  it('begin at a moment, until the plan is canceled', async () => {
    await write({ ruleSet: 'Cards', rules: [rule('Second', 'Service 2')] });
    await routing('push');
    const cancel = (...words: readonly string[]): Promise<Ended> =>
      paygraph(['routing', 'cancel', '--url', server.url, ...words], { TOKEN: shop.token }).ended;
    expect(await cancel()).toMatchObject({ code: 0, stdout: 'No activation is planned.\n' });

    await routing('activate', '--at', '2040-02-01T00:00:00Z');
    const later = await routing('activate', '--none', '--at', '2040-01-01T00:00:00Z');
    const words = /^Planned: (.*) decides from (.*) on \(activation (.*)\)\.$/gm;
    const planned = [...later.stdout.matchAll(words)].map(([, ...parts]) => parts);
    expect(planned.map(([what, at]) => [what, at])).toEqual([
      ['the order of positions', '2040-01-01T00:00:00.000Z'],
      ['version 1 of "Cards"', '2040-02-01T00:00:00.000Z'],
    ]);
    expect(await cancel()).toMatchObject({ code: 2, stderr: expect.stringContaining('Name one by its id') });
    expect(await cancel('--activation', planned[0]?.[2] ?? '')).toMatchObject({
      code: 0,
      stdout: 'Canceled: the order of positions from 2040-01-01T00:00:00.000Z on.\n',
    });
    expect(JSON.parse((await cancel('--json')).stdout)).toMatchObject({
      canceled: { id: planned[1]?.[2], version: { number: 1 } },
    });
    expect((await routing('activate')).stdout).not.toContain('Planned');
  });

  it('go back and forth with value sets of the same name', async () => {
    const [first, second] = await Promise.all([
      shop.ask<{ routingValueSetId: string }>(VALUE_SET, { values: ['US'] }),
      shop.ask<{ routingValueSetId: string }>(VALUE_SET, { values: ['CA'] }),
    ]);
    await shop.makeVersion(
      [first, second].map(({ routingValueSetId: countryIn }, at) => ({
        ...{ name: `Rule ${at}`, conditions: [{ fact: { countryIn } }], action: { positions: true } },
      })),
    );
    expect((await routing('pull')).code).toBe(0);
    const pulled = await read();

    expect(new Set(pulled.valueSets.map(({ id }) => id))).toEqual(
      new Set([first.routingValueSetId, second.routingValueSetId]),
    );
    expect(await routing('push', '--dry-run')).toEqual({ code: 0, stdout: 'Nothing to do.\n', stderr: '' });
    await write({
      ...pulled,
      valueSets: pulled.valueSets.map((set) => ({ ...set, values: [...set.values, 'MX'] })),
    });
    expect((await routing('push')).code).toBe(0);
    const { nodes } = await shop.ask<{ nodes: readonly { values: readonly string[] }[] }>(
      '{ answer: routingValueSets { nodes { values } } }',
    );
    expect(new Set(nodes.map(({ values }) => values.join()))).toEqual(new Set(['US,MX', 'CA,MX']));
  });

  it('begin with a rule set of their own, also in a dry run', async () => {
    await write({ ruleSet: 'Debits', rules: [rule('All', 'Service 3')] });

    expect(await routing('push', '--dry-run')).toMatchObject({
      code: 3,
      stdout: expect.stringMatching(/^The rule set "Debits" is new\.\n/),
    });
    expect(await routing('push')).toMatchObject({ code: 0 });
    expect(await routing('pull', '--rule-set', 'Debits', '--json')).toMatchObject({
      stdout: expect.stringContaining('"paymentServices":["Service 3"]'),
    });
  });
});

const VALUE_SET = `mutation ($values: [String!]!) { answer: createRoutingValueSet(
  input: { name: "Near", kind: COUNTRY, values: $values }) { routingValueSetId userErrors { message } } }`;

const rule = (name: string, ...paymentServices: readonly string[]): Input => ({
  ...{ name, action: { order: { paymentServices } } },
});

describe('a refusal', () => {
  it.each<[what: string, file: Input, code: number, stderr: string]>([
    [
      'an unknown service',
      { rules: [rule('All', 'Servce 1')] },
      4,
      'No payment service has the display name or the id "Servce 1". There are these: Service 3, Service 2, Service 1.\n',
    ],
    [
      'an unknown value set',
      { rules: [{ ...rule('All', 'Service 1'), conditions: [{ fact: { binIn: 'Issuers' } }] }] },
      4,
      'No value set has the name or the id "Issuers". Add it to valueSets.\n',
    ],
    [
      'a value set of another kind',
      {
        rules: [{ ...rule('All', 'Service 1'), conditions: [{ fact: { binIn: 'Near' } }] }],
        valueSets: [{ name: 'Near', kind: 'COUNTRY', values: ['US'] }],
      },
      4,
      'binIn needs a value set of the kind BIN. "Near" has COUNTRY.\n',
    ],
    [
      'a value that the service refuses',
      { rules: [{ ...rule('All', 'Service 1'), conditions: [{ fact: { country: ['usa'] } }] }] },
      4,
      'rules.0.conditions.0.fact.country.0: Must be an ISO 3166-1 code such as US.\n',
    ],
    [
      'an unknown member of a rule',
      { rules: [{ ...rule('All', 'Service 1'), colour: 'red' }] },
      4,
      'Variable "$input" got an invalid value at "input.rules[0]"; Field "colour" is not defined by type "RoutingRuleInput".\n',
    ],
    [
      'two facts in one',
      {
        rules: [
          { ...rule('All', 'Service 1'), conditions: [{ fact: { countryIn: 'Near', currency: ['EUR'] } }] },
        ],
        valueSets: [{ name: 'Near', kind: 'COUNTRY', values: ['US'] }],
      },
      4,
      'Variable "$input" got an invalid value at "input.rules[0].conditions[0].fact"; Exactly one key must be specified for OneOf type "RoutingFactInput".\n',
    ],
    [
      'a wrong name of a new rule set',
      { ruleSet: '', rules: [rule('All', 'Service 1')] },
      4,
      'ruleSet: Must be 1 to 100 characters.\n',
    ],
    [
      'wrong values of a value set that no rule names',
      {
        rules: [rule('All', 'Service 1')],
        valueSets: [{ name: 'Issuers', kind: 'BIN', values: ['411111', '41'] }],
      },
      4,
      'valueSets.0.values.1: Must be a BIN of 6 to 8 digits, or a range of two such as 400000-419999.\n',
    ],
    ['no rules', {}, 2, 'PATH.rules: Invalid input: expected array, received undefined\n'],
  ])('says %s, with a code of its own', async (_, file, code, stderr) => {
    await write({ ruleSet: 'Cards', ...file });
    const refused = await routing('push');

    expect({ ...refused, stderr: refused.stderr.replace(path, 'PATH') }).toEqual({
      code,
      stdout: '',
      stderr,
    });
    expect((await versions()).nodes).toEqual([]);
  });

  it('says warnings, and ends a strict push', async () => {
    await write({ ruleSet: 'Cards', rules: [rule('One', 'Service 1'), rule('Two', 'Service 2')] });

    const strict = await routing('push', '--strict');
    expect(strict).toMatchObject({
      code: 4,
      stderr:
        'Warning for rule 2, "Two": Rule 1 matches every payment of this rule, so this rule is never reached.\n' +
        'The rules have warnings, and --strict refuses them. Nothing was changed.\n',
    });
    expect((await versions()).nodes).toEqual([]);
    expect((await routing('push')).code).toBe(0);
    const stored = await routing('push', '--strict', '--json');
    expect(stored).toMatchObject({ code: 4 });
    expect(JSON.parse(stored.stdout)).toMatchObject({ changes: [], warnings: [{ code: 'HIDDEN', rule: 2 }] });
  });

  it('ends an activation of a file that was not pushed', async () => {
    await write({ ruleSet: 'Cards', rules: [rule('All', 'Service 2')] });

    expect(await routing('activate')).toMatchObject({
      code: 4,
      stderr: expect.stringMatching(/^The latest version differs from .* Push the file first/),
    });
    expect(await shop.asked()).toEqual([1]);
  });
});
