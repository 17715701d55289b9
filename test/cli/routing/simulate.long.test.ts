import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { simulateNextPages } from '../../../src/modules/routing-simulations/index.ts';
import { openShop, type Shop } from '../../routing/harness.ts';
import { paygraph } from '../../support/command.ts';
import { startTestServer, type TestServer } from '../../support/server.ts';
import { until } from '../../support/until.ts';

let server: TestServer;
let folder: string;
let path: string;
let shop: Shop;
beforeAll(async () => {
  server = await startTestServer();
  folder = await mkdtemp(join(tmpdir(), 'paygraph-simulate-'));
  path = join(folder, 'routing.json');
});
beforeEach(async () => {
  shop = await openShop(server);
  const action = { order: { paymentServices: ['Service 2'] } };
  const rules = [{ name: 'Second', action }];
  await writeFile(path, JSON.stringify({ ruleSet: 'Cards', rules }));
  await shop.makeVersion([{ name: 'Second', action: { order: { paymentServiceIds: [shop.services[1]] } } }]);
});
afterAll(async () => {
  await Promise.all([server.stop(), rm(folder, { recursive: true })]);
});

const simulate = (words: readonly string[], token = shop.token) =>
  paygraph(['routing', 'simulate', path, '--url', server.url, ...words], { TOKEN: token });

type Listed = { readonly nodes: readonly { readonly status: string; readonly sample: number }[] };

const listed = () => shop.ask<Listed>('{ answer: routingSimulations { nodes { status sample } } }');

const begun = () => until(async () => (await listed()).nodes.length > 0);

/** Runs a simulation to its end. */
async function toTheEnd(command: ReturnType<typeof simulate>) {
  await begun();
  while ((await listed()).nodes.some(({ status }) => status === 'PENDING' || status === 'RUNNING'))
    await simulateNextPages(server.app);
  return await command.ended;
}

describe('a simulation from the command line', () => {
  it('says where the payments of the past would go', async () => {
    const { transaction } = await shop.pay();
    await shop.pay({ paymentServiceId: shop.services[2] });

    const { code, stdout, stderr } = await toTheEnd(simulate([]));

    expect(code).toBe(0);
    expect(stderr).toMatch(/^Simulating: 0 %, 0 payments read\n/);
    expect(stdout.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'AT').split('\n')).toEqual([
      '2 payments from AT to AT, played through version 1 of "Cards".',
      'Authorised: 0 then, 0 expected (0 to 0), of 0 compared.',
      'Attempts: 0 then, 0 expected.',
      'Unknown: 1 payments whose new service saw no such payment.',
      'Passed by: 1 payments about which no rules decide.',
      'First service:',
      '  Service 1 -> Service 2: 1',
      'Differing most:',
      expect.stringMatching(
        new RegExp(
          `^  ${transaction?.id} \\d+\\.\\d\\d USD, authorised: Service 1 -> Service 2 by rule 1, "Second"$`,
        ),
      ),
      '',
    ]);
  });

  it('prints the answer for programs, without the parts that the token may not read', async () => {
    await shop.pay();
    const token = await server.mint({
      merchantAccountId: shop.id,
      scopes: ['routing-rules.read', 'routing-rules.write', 'payment-services.read'],
    });

    const { code, stdout } = await toTheEnd(simulate(['--number', '1', '--sample', '100', '--json'], token));

    expect(code).toBe(0);
    const { version, result } = JSON.parse(stdout) as { version: object; result: object };
    expect(version).toMatchObject({ number: 1, ruleSet: { name: 'Cards' } });
    expect(result).toMatchObject({ payments: 1, moves: [{ payments: 1 }] });
    expect(Object.keys(result)).not.toContain('fees');
    expect(Object.keys(result)).not.toContain('differing');
  });

  it('is canceled by Ctrl-C', async () => {
    const command = simulate(['--sample', '7']);
    await begun();
    const { code, stderr } = await command.end('SIGINT');

    expect(code).toBe(130);
    expect(stderr).toMatch(/Stopped before the end\.\n$/);
    expect((await listed()).nodes).toEqual([{ status: 'CANCELED', sample: 7 }]);
  });

  it.each([
    [['--sample', '0'], 2, '--sample: must be a whole number of percent, from 1 to 100.\n'],
    [['--from', 'x'], 2, '--from: must be a moment such as 2026-01-31T08:00:00Z.\n'],
    [['--number', '9'], 1, 'The rule set "Cards" has no version 9.\n'],
    [['--to', '2100-01-01'], 4, 'to: Must not be in the future.\n'],
  ])('is refused with %j', async (words, code, stderr) => {
    expect(await simulate(words).ended).toEqual({ code, stderr, stdout: '' });
    expect((await listed()).nodes).toEqual([]);
  });
});
