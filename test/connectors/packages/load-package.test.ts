import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { connectors } from '../../../src/connectors/index.ts';
import { mistakesIn } from '../../../src/connectors/packages/check-package.ts';
import type { PackagedConnector } from '../../../src/connectors/packages/package.ts';
import { OperatorError } from '../../../src/platform/operator-error.ts';
import { openConnectors } from '../../../src/open-connectors.ts';
import { acmePackage, withDefinition } from './acme.ts';

const run = promisify(execFile);
const never = (): never => {
  throw new Error('unused');
};

describe('the check of a package', () => {
  it('finds no mistake in a whole one', () => {
    expect(mistakesIn(acmePackage())).toEqual([]);
  });

  it.each<[string, unknown, string]>([
    ['no export', undefined, 'It has no default export { interface: 1, connectors: [...] }.'],
    [
      'another version',
      { ...acmePackage(), interface: 2 },
      'It has version 2 of the connector interface, and this Paygraph has version 1. Install the package in a version for this Paygraph.',
    ],
    ['no connector', { interface: 1, connectors: [] }, 'connectors must have a connector.'],
    ['no list', { interface: 1, connectors: {} }, 'connectors and antiFraud must be lists.'],
  ])('names %s', (_, given, sentence) => {
    expect(mistakesIn(given)).toEqual([sentence]);
  });

  it.each<[string, Partial<Record<keyof PackagedConnector, unknown>>, string]>([
    ['an id', { id: 'Acme' }, 'connectors[0].id must have 1 to 50 lower-case letters, digits and hyphens.'],
    ['a missing verb', { refund: undefined }, 'connectors[0].refund must be a function.'],
    [
      'missing hosts',
      { hosts: undefined },
      'connectors[0].hosts must name hosts as { production: [...], sandbox: [...] }.',
    ],
    [
      'an address in place of a host',
      { hosts: { production: ['https://api.acme.example'], sandbox: [] } },
      'connectors[0].hosts.production[0] must be a host such as api.acme.example.',
    ],
    [
      'all hosts of the world',
      { hosts: { production: ['.com'], sandbox: [] } },
      'connectors[0].hosts.production[0] must be a host such as api.acme.example.',
    ],
    [
      'a need of another kind',
      withDefinition({ needs: ['shoe size'] as never }),
      'connectors[0].definitions[0].needs[0] must be one of billingAddress, billingCountry, brazilianTaxId, cartItems, email, firstName, lastName, name, phone, shippingAddress.',
    ],
    [
      'a definition',
      withDefinition({ deadlineMs: 0.5 }),
      'connectors[0].definitions[0].deadlineMs must be whole milliseconds.',
    ],
    [
      'a call that holds leases for long',
      withDefinition({ deadlineMs: 60_001 }),
      'connectors[0].definitions[0].deadlineMs must be at most 60000.',
    ],
    [
      'a window whose default exceeds the maximum',
      withDefinition({ approvalWindow: { defaultMs: 2, maxMs: 1, option: null } }),
      'connectors[0].definitions[0].approvalWindow must have a defaultMs of at most maxMs.',
    ],
    [
      'networks that are no list',
      withDefinition({ cardNetworks: 3 as never }),
      'connectors[0].definitions[0].cardNetworks must be a list of networks.',
    ],
    [
      'a local currency that is none',
      withDefinition({ localCurrencies: { DE: 'Euro' } }),
      'connectors[0].definitions[0].localCurrencies.DE must be a currency such as EUR.',
    ],
    [
      'buyer data without a profile',
      withDefinition({ buyer: 7 as never }),
      'connectors[0].definitions[0].buyer must be the profile of a buyer.',
    ],
    ['an optional verb', { increase: true }, 'connectors[0].increase must be a function.'],
    ['the receiver of Google Pay', { googlePay: 'x' }, 'connectors[0].googlePay must be a function.'],
    ['settlements', { settlements: () => undefined }, 'connectors[0].settlements must have fetch.'],
    [
      'a response to disputes',
      { disputes: { accept: true } },
      'connectors[0].disputes.accept must be a function.',
    ],
    [
      'gift cards without redeem',
      { giftCards: { balance: never, unredeem: never, refund: never } },
      'connectors[0].giftCards.redeem must be a function.',
    ],
    ['sessions', { sessions: {} }, 'connectors[0].sessions.open must be a function.'],
    ['webhooks', { webhooks: {} }, 'connectors[0].webhooks.verify must be a function.'],
    [
      'a feature without a test',
      { tested: ['raw_card_data'] },
      'acme-card has the feature refunds, and "tested" does not list it. Test the feature, or turn it off.',
    ],
    [
      'a method without its part',
      withDefinition({ method: 'gift-card' }),
      'acme-card has the method gift-card, and its connector lacks giftCards.',
    ],
    [
      'sessions alone',
      { sessions: { open: () => undefined } },
      'acme has sessions, and lacks the verb resume.',
    ],
  ])('names %s', (_, changes, sentence) => {
    expect(mistakesIn(acmePackage(changes as Partial<PackagedConnector>))).toContain(sentence);
  });

  it.each(['barter', 'p2', 'pay_in-3', `m${'x'.repeat(49)}`])('takes a method of the name %s', (method) => {
    expect(mistakesIn(acmePackage(withDefinition({ method })))).toEqual([]);
  });

  it.each(['', 'b', 'Barter', '3pay', 'bar ter', `m${'x'.repeat(50)}`, 'id', 'checkout-session', 'applepay'])(
    'refuses a method of the name "%s"',
    (method) => {
      expect(mistakesIn(acmePackage(withDefinition({ method })))).toEqual([
        `acme-card has the method ${JSON.stringify(method)}. A method has 2 to 50 lower-case letters, digits, hyphens and ` +
          'underscores. It begins with a letter, and is no word with which the API names other means to pay.',
      ]);
    },
  );

  it('names the part that a feature needs', () => {
    const [usual] = acmePackage().connectors[0]?.definitions ?? [];
    const supportedFeatures = { ...usual?.supportedFeatures, reauthorization: true } as never;
    const given = acmePackage({
      ...withDefinition({ supportedFeatures }),
      tested: ['raw_card_data', 'refunds', 'reauthorization'],
    });

    expect(mistakesIn(given)).toEqual([
      'acme-card has the feature reauthorization, and its connector lacks the verb reauthorize.',
    ]);
  });
});

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'paygraph-package-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** Writes a package whose connector has these changes as code. Returns the path of its file. */
async function write(name: string, changes = ''): Promise<string> {
  const at = join(folder, name);
  await mkdir(at, { recursive: true });
  await writeFile(
    join(at, 'package.json'),
    JSON.stringify({ name: `@acme/${name}`, version: '1.2.3', type: 'module' }),
  );
  const acme = resolve('test/connectors/packages/acme.ts');
  await writeFile(
    join(at, 'index.js'),
    `import { acmePackage } from ${JSON.stringify(acme)};
export default acmePackage({ ${changes} });`,
  );
  return join(at, 'index.js');
}

const open = (...names: readonly string[]) =>
  openConnectors({ PAYGRAPH_CONNECTORS: [...names], production: false }, pino({ level: 'silent' }));

describe('the registry', () => {
  it('has the connectors of this repository alone without a setting', async () => {
    expect(await open()).toMatchObject({ connectors });
  });

  it('has the connectors of a package beside them, with its name and version', async () => {
    const { connectors: all } = await open(await write('whole'));

    expect(all.map(({ id }) => id)).toEqual([...connectors.map(({ id }) => id), 'acme']);
    expect(all.at(-1)?.definitions[0]?.package).toEqual({ name: '@acme/whole', version: '1.2.3' });
  });

  it('gives a package the door of this process, without a copy of Paygraph beside the package', async () => {
    const path = await write('with-door', `id: sameMoney(MONEY, { ...MONEY }) ? 'acme' : ''`);
    const text = await readFile(path, 'utf8');
    const imported = `import { AMOUNT_MAX, sameMoney } from 'paygraph/connector';`;
    await writeFile(path, `${imported}\nconst MONEY = { amount: AMOUNT_MAX, currency: 'EUR' };\n${text}`);

    expect((await open(path)).connectors.at(-1)?.id).toBe('acme');
  });

  it('refuses a package that is not there, in a sentence', async () => {
    await expect(open('@acme/absent')).rejects.toThrow(
      /^PAYGRAPH_CONNECTORS names @acme\/absent, which cannot be loaded: Cannot find package '@acme\/absent'/,
    );
  });

  it('lists all mistakes of a package', async () => {
    const path = await write('wrong', `id: 'Acme', hosts: null`);

    await expect(open(path)).rejects.toThrow(
      [
        `PAYGRAPH_CONNECTORS names ${path}, which Paygraph cannot use:`,
        'connectors[0].id must have 1 to 50 lower-case letters, digits and hyphens.',
        'connectors[0].hosts must name hosts as { production: [...], sandbox: [...] }.',
      ].join('\n  '),
    );
  });

  it('refuses a package that throws while it is read, in a sentence', async () => {
    const path = await write('throwing');
    const text = await readFile(path, 'utf8');
    const getter = `{ get: () => { throw new Error('in vain'); } }`;
    await writeFile(
      path,
      text.replace(
        /export default (.*);/,
        `export default Object.defineProperty($1, 'connectors', ${getter});`,
      ),
    );

    await expect(open(path)).rejects.toThrow(
      new OperatorError(`PAYGRAPH_CONNECTORS names ${path}, which Paygraph cannot use: in vain`),
    );
  });

  it('names the place of a syntax error', async () => {
    const path = join(folder, 'broken.cjs');
    await writeFile(path, `module.exports = {\n  interface: 1 1,\n};`);

    await expect(open(path)).rejects.toThrow(`Unexpected number (${path}:2)`);
  });

  it('takes the default export of a compiler to CommonJS', async () => {
    const path = await write('common');
    const text = await readFile(path, 'utf8');
    await writeFile(
      path,
      text.replace(/export default (.*);/, 'export default { __esModule: true, default: $1 };'),
    );

    expect((await open(path)).connectors.at(-1)?.id).toBe('acme');
  });

  it('refuses two connectors with one id, and two definitions', async () => {
    await expect(open(await write('first'), await write('second'))).rejects.toThrow(
      [
        'The connector acme is in @acme/first and in @acme/second. Remove one package from PAYGRAPH_CONNECTORS.',
        'The definition acme-card is in @acme/first and in @acme/second. Remove one package from PAYGRAPH_CONNECTORS.',
      ].join('\n'),
    );
    await expect(open(await write('house', `id: 'stripe'`))).rejects.toThrow(
      'The connector stripe is in paygraph and in @acme/house. Remove one package from PAYGRAPH_CONNECTORS.',
    );
  });
});

describe('an error beside an answer', () => {
  const program = (thrown: string, http: string) => `
    import { pino } from 'pino';
    import { openConnectors } from ${JSON.stringify(resolve('src/open-connectors.ts'))};
    import { contextOf } from ${JSON.stringify(resolve('test/connectors/packages/acme.ts'))};
    const [path] = process.argv.slice(1);
    const { connectors } = await openConnectors({ PAYGRAPH_CONNECTORS: [path], production: false }, pino({ level: 'error' }, pino.destination(2)));
    const request = { key: 'k', money: { amount: 1299, currency: 'EUR' }, reference: 'P1' };
    const { kind } = await connectors.at(-1).void({ ...contextOf(${http}) }, request);
    ${thrown}
    setTimeout(() => console.log(kind), 50);`;
  const runProgram = async (path: string, thrown = '', http = '{}') =>
    run(process.execPath, ['--input-type=module', '-e', program(thrown, http), path]).catch(
      (error: unknown) => error as { readonly stdout: string; readonly stderr: string },
    );

  /** Writes a package whose voids run this code first. */
  const writeVoid = (name: string, code: string) =>
    write(
      name,
      `void: async (context, { money }) => { ${code}; return { kind: 'succeeded', reference: 'A', money, rawResponseCode: null, rawResponseDescription: null }; }`,
    );

  it.each([
    ['a timer', `setTimeout(() => { throw new Error('later'); }, 1)`],
    ['a promise that nobody awaits', `Promise.reject(new Error('later'))`],
  ])('does not end the process if a connector throws in %s', async (what, code) => {
    const path = await writeVoid(`stray-${what.split(' ').at(-1)}`, code);

    const { stdout, stderr } = await runProgram(path);

    expect(stdout).toBe('succeeded\n');
    expect(JSON.parse(stderr)).toMatchObject({
      ...{ connector: 'acme', error: 'Error' },
      frames: expect.arrayContaining([expect.stringContaining(path)]),
    });
    expect(stderr).not.toContain('later');
  });

  it('does not end the process if a module of a package throws in a timer', async () => {
    const path = await writeVoid('stray-module', '');
    const text = await readFile(path, 'utf8');
    await writeFile(path, `${text}\nsetTimeout(() => { throw new Error('later'); }, 1);`);

    const { stdout, stderr } = await runProgram(path);

    expect(stdout).toBe('succeeded\n');
    expect(JSON.parse(stderr)).toMatchObject({ connector: path, error: 'Error' });
  });

  it.each([
    ['the client', 'context.http.send({ url: "http://127.0.0.1:1/", method: "GET" })'],
    ['the tokens', 'context.accessTokens.get(() => null)'],
  ])('ends the process if %s of Paygraph throws within a call', async (_, code) => {
    const own = `() => { setTimeout(() => { throw new Error('own'); }, 1); return Promise.resolve({}); }`;
    const path = await writeVoid(`own-${code.length}`, `await ${code}`);
    const context = `{ send: ${own} }), accessTokens: { get: ${own} }, ...({}`;
    const { stdout, stderr } = await runProgram(path, '', context);

    expect(stdout).toBe('');
    expect(stderr).toContain('Error: own');
  });

  it('ends the process if Paygraph itself throws', async () => {
    const { stdout, stderr } = await runProgram(
      await write('quiet'),
      `setTimeout(() => { throw new Error('own'); }, 1);`,
    );

    expect(stdout).toBe('');
    expect(stderr).toContain('Error: own');
  });
});
