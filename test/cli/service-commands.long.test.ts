import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import type { Act } from '../../src/cli/trigger/ask-sandbox.ts';
import { playScene } from '../../src/cli/trigger/play.ts';
import { SCENES } from '../../src/cli/trigger/scenes.ts';
import { startCuttingProxy } from '../client/cutting-proxy.ts';
import { paygraph, type Ended, type Running } from '../support/command.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { lastingPort } from '../support/lasting-port.ts';
import { startProcess, type ServerProcess } from '../support/process.ts';
import { startReceiver, type Receiver } from '../support/receiver.ts';
import { until } from '../support/until.ts';

let database: TestDatabase;
let service: ServerProcess;
let receiver: Receiver;
let folder: string;
const running: Running[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  [service, receiver] = await Promise.all([startProcess({ DATABASE_URL: database.url }), startReceiver()]);
  folder = await mkdtemp(join(tmpdir(), 'paygraph-cli-'));
});
afterEach(async () => {
  receiver.answer(204);
  for (const each of running.splice(0)) await each.end('SIGTERM');
});
afterAll(async () => {
  await service.stop();
  await Promise.all([receiver.close(), database.drop(), rm(folder, { recursive: true })]);
});

/** Starts a command beside the running service, with the same settings. */
function run(args: readonly string[], settings: Readonly<Record<string, string>> = {}): Running {
  const started = paygraph(args, {
    DATABASE_URL: database.url,
    PAYGRAPH_DATA_DIR: service.dataFolder,
    PORT: new URL(service.url).port,
    ...settings,
  });
  running.push(started);
  return started;
}

const ended = (...args: readonly string[]): Promise<Ended> => run(args).ended;

const access = () => ({
  url: `${service.url}/graphql`,
  merchantAccountId: undefined,
  token: () => Promise.resolve(service.token),
});

async function pay(): Promise<string> {
  const { id } = await playScene(access(), SCENES['authorized'] ?? { what: '', amount: 1 }, () => undefined);
  return id;
}

const targetOf = (body: string): string => (JSON.parse(body) as { target: { id: string } }).target.id;

describe('paygraph listen', () => {
  it('posts live events, signed with its secret, and shows each answer', async () => {
    const listening = run(['listen', '--forward-to', `${receiver.url}hooks`, '--events', 'transaction.*']);
    await until(() => listening.stderr().includes('Connected to'));
    const [, secret = ''] = /is (whsec_\S+)/.exec(listening.stderr()) ?? [];
    const before = receiver.received.length;
    const id = await pay();
    await listening.printed('→ 204');
    const [request] = receiver.received.slice(before);

    expect(request?.path).toBe('/hooks');
    const headers = request?.headers as Record<string, string>;
    expect(new Webhook(secret).verify(request?.body ?? '', headers)).toMatchObject({
      name: 'transaction.authorized',
      target: { id },
    });
    receiver.answer((response) => response.writeHead(500).end('no such order'));
    await pay();
    expect(await listening.printed('no such order')).toContain('→ 500 in');
    const { code, stderr } = await listening.end('SIGINT');
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringMatching(/\nStopped\.\n$/) });
  });

  it('resumes after dead websockets, and posts each event once and in order', async () => {
    // The first connection asks if a service answers. The next two break in the middle of a message.
    const proxy = await startCuttingProxy(service.url, [Infinity, 4_000, 9_000]);
    const before = receiver.received.length;
    const words = ['--forward-to', receiver.url, '--events', 'transaction.*', '--url', proxy.url];
    const listening = run(['listen', ...words], { TOKEN: service.token });
    await until(() => listening.stderr().includes('Connected to'));
    const paid: string[] = [];
    while (proxy.cuts() < 2) paid.push(await pay());
    paid.push(await pay());
    await listening.printed(paid.at(-1) ?? '');

    const bodies = receiver.received.slice(before).map(({ body }) => targetOf(body));
    expect(bodies).toEqual(paid);
    expect(listening.stderr()).toContain('Connected again. No event is missed.');
    await proxy.close();
  });

  it('begins with past events, and prints a line of JSON for each', async () => {
    await pay();
    const closed = `http://127.0.0.1:${await lastingPort()}/`;
    const words = ['--forward-to', closed, '--replay-last', '1', '--json'];
    const listening = run(['listen', ...words]);

    const line = JSON.parse((await listening.printed('}\n')).split('\n')[0] ?? '') as object;
    expect(line).toMatchObject({
      ...{ name: 'transaction.authorized', status: null, error: 'ECONNREFUSED', reply: '' },
    });
  });
});

describe('paygraph tail', () => {
  it('prints plain lines into a pipe, and payloads with --json', async () => {
    const id = await pay();
    const lines = run(['tail', '--replay-last', '1']);
    expect(await lines.printed('\n')).toMatch(
      new RegExp(
        `^\\d\\d:\\d\\d:\\d\\d +\\d+ {2}transaction\\.authorized +transaction ${id} {2}1299 USD authorization_succeeded\n$`,
      ),
    );
    const payloads = run(['tail', '--replay-last', '1', '--json']);
    expect(targetOf((await payloads.printed('\n')).trim())).toBe(id);
    expect(await lines.end('SIGINT')).toMatchObject({ code: 0 });
  });
});

describe('paygraph trigger', () => {
  it('plays each scene to its end', async () => {
    const ends: Record<string, string> = {};
    for (const [name, scene] of Object.entries(SCENES)) {
      const acts: Act[] = [];
      const { status, approvalUrl } = await playScene(access(), scene, (act) => acts.push(act));
      const last = acts.at(-1);
      const reason = last?.errorCode ?? (approvalUrl === null ? '' : 'approvalUrl');
      ends[name] = [status, last?.name, last?.status, reason].join(' ').trim();
    }

    expect(ends).toEqual({
      authorized: 'AUTHORIZATION_SUCCEEDED pay AUTHORIZATION_SUCCEEDED',
      captured: 'CAPTURE_SUCCEEDED capture SUCCEEDED',
      'partly-captured': 'CAPTURE_SUCCEEDED capture SUCCEEDED',
      voided: 'AUTHORIZATION_VOIDED void SUCCEEDED',
      refunded: 'CAPTURE_SUCCEEDED refund SUCCEEDED',
      'partly-refunded': 'CAPTURE_SUCCEEDED refund SUCCEEDED',
      declined: 'AUTHORIZATION_DECLINED pay AUTHORIZATION_DECLINED insufficient_funds',
      expired: 'AUTHORIZATION_DECLINED pay AUTHORIZATION_DECLINED expired_payment_method',
      failed: 'AUTHORIZATION_FAILED pay AUTHORIZATION_FAILED service_error',
      challenged: 'BUYER_APPROVAL_PENDING pay BUYER_APPROVAL_PENDING approvalUrl',
      redirected: 'BUYER_APPROVAL_PENDING pay BUYER_APPROVAL_PENDING approvalUrl',
      pending: 'PROCESSING pay PROCESSING',
      'capture-declined': 'AUTHORIZATION_SUCCEEDED capture DECLINED refused_transaction',
      'refund-declined': 'CAPTURE_SUCCEEDED refund DECLINED issuer_decline',
      'capture-reversed': 'CAPTURE_SUCCEEDED capture SUCCEEDED',
      disputed: 'CAPTURE_SUCCEEDED pay CAPTURE_SUCCEEDED',
      'dispute-won': 'CAPTURE_SUCCEEDED pay CAPTURE_SUCCEEDED',
      'dispute-lost': 'CAPTURE_SUCCEEDED pay CAPTURE_SUCCEEDED',
      'failing-service': 'AUTHORIZATION_SUCCEEDED pay AUTHORIZATION_SUCCEEDED',
      'soft-decline': 'AUTHORIZATION_SUCCEEDED pay AUTHORIZATION_SUCCEEDED',
      'slow-service': 'AUTHORIZATION_SUCCEEDED pay AUTHORIZATION_SUCCEEDED',
      outage: 'AUTHORIZATION_SUCCEEDED recover AUTHORIZATION_SUCCEEDED',
    });
  });

  it('shows each service that a faulty scene asked', async () => {
    const acts = async (name: string): Promise<readonly string[]> => {
      const shown: string[] = [];
      await playScene(access(), SCENES[name] ?? { what: '', amount: 1 }, ({ name: act, status }) =>
        shown.push(`${act} ${status}`),
      );
      return shown;
    };

    const refused = ['second SUCCEEDED', 'pay AUTHORIZATION_SUCCEEDED'];
    expect(await acts('failing-service')).toEqual(['first FAILED', ...refused]);
    expect(await acts('soft-decline')).toEqual(['first DECLINED', ...refused]);
    expect(await acts('outage')).toEqual([
      ...['first PENDING', 'pay PROCESSING', 'recover AUTHORIZATION_SUCCEEDED'],
    ]);
    expect(await acts('slow-service')).toEqual(['first SUCCEEDED', 'pay AUTHORIZATION_SUCCEEDED']);
  });

  it('prints each act, and names the closest scene for an unknown one', async () => {
    const played = await ended('trigger', 'declined');
    expect(played).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(
        /^pay {6}\S+ {2}200011 USD {2}AUTHORIZATION_DECLINED \(insufficient_funds\)\n/,
      ),
    });
    expect(await ended('trigger', 'refundd')).toEqual({
      code: 2,
      stdout: '',
      stderr: 'There is no scene refundd. Did you mean refunded? List all with: npm run trigger\n',
    });
  });
});

describe('paygraph query', () => {
  it('runs a document with variables from files, and prints the data', async () => {
    const id = await pay();
    const [file, variables] = [join(folder, 'payment.graphql'), join(folder, 'payment.json')];
    await writeFile(file, 'query ($id: ID!) { transaction(id: $id) { id status } }');
    await writeFile(variables, JSON.stringify({ id }));

    const { code, stdout } = await ended('query', file, '--variables', `@${variables}`);
    expect({ code, data: JSON.parse(stdout) as unknown }).toEqual({
      code: 0,
      data: { transaction: { id, status: 'AUTHORIZATION_SUCCEEDED' } },
    });
  });

  it('ends with the codes of errors, and refuses variables that are no object', async () => {
    const file = join(folder, 'wrong.graphql');
    await writeFile(file, '{ nothing }');
    expect(await ended('query', file)).toEqual({
      code: 1,
      stdout: '',
      stderr: 'GRAPHQL_VALIDATION_FAILED: Cannot query field "nothing" on type "Query".\n',
    });
    expect(await ended('query', file, '--variables', '[1]')).toMatchObject({
      code: 2,
      stderr: `--variables: must be an object of JSON, such as '{"id": "…"}', or @file.json.\n`,
    });
  });
});

describe('paygraph doctor', () => {
  it('finds nothing wrong beside a running sandbox', async () => {
    const { code, stdout } = await ended('doctor', '--json');
    const { findings } = JSON.parse(stdout) as { findings: { check: string; state: string }[] };

    expect(code).toBe(0);
    expect(findings.map(({ check, state }) => `${check}: ${state}`)).toEqual(
      ['configuration', 'node', 'database', 'clock', 'migrations', 'connections', 'master key', 'payments']
        .concat(['API key', 'service', 'public address', 'webhook endpoints'])
        .map((check) => `${check}: ok`),
    );
  });

  it('names what is wrong, and fails', async () => {
    const settings = { DATABASE_URL: 'postgresql://nobody@127.0.0.1:1/none', PORT: '1' };
    const { code, stdout, stderr } = await run(['doctor'], settings).ended;

    expect({ code, stderr }).toEqual({ code: 1, stderr: '1 of 5 checks failed.\n' });
    expect(stdout).toMatch(/^✗ database /m);
    expect(stdout).toMatch(/^! service {12}Nothing answers at http:\/\/127\.0\.0\.1:1\/graphql\./m);
  });
});

describe('paygraph demo', () => {
  it('prints the result as JSON, and the steps on standard error', async () => {
    const { code, stdout, stderr } = await ended('demo', '--json');

    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      transaction: {
        id: expect.any(String),
        ...{ status: 'CAPTURE_SUCCEEDED', authorizedAmount: 1299, capturedAmount: 1000, refundedAmount: 400 },
      },
      providerCalls: ['authorize 1299', 'capture 1000', 'refund 400'],
      liveEvents: expect.any(Number),
      webhooks: expect.any(Number),
    });
    expect(stderr).toContain('9/9');
  });

  it('prints the record of a provider as JSON', async () => {
    const { code, stdout } = await ended('demo', '--provider', 'stripe', '--json');
    const { provider, steps } = JSON.parse(stdout) as { provider: string; steps: { ok: boolean }[] };

    expect({ code, provider, steps: steps.map(({ ok }) => ok) }).toEqual({
      ...{ code: 0, provider: 'Stripe', steps: Array(8).fill(true) },
    });
  });
});

describe('wrong words', () => {
  it.each([
    [['tokn'], "Unknown command 'tokn'. Did you mean token?\n"],
    [['tail', '--jsn'], "Unknown option '--jsn'. Did you mean --json?\n"],
    [
      ['listen'],
      "Required option '--forward-to <address>' not specified. Add --help to see what is possible.\n",
    ],
    [
      ['listen', '--forward-to', 'shop'],
      '--forward-to: must be an address such as http://localhost:3000/hooks.\n',
    ],
    [['tail', '--replay-last', 'x'], '--replay-last: must be a whole number from 0 to 10000.\n'],
    [
      ['tail', '--events', 'a b'],
      '--events: must be names or patterns with commas between, such as transaction.*,refund.succeeded.\n',
    ],
    [['query', 'no-such-file'], 'no-such-file cannot be read. Check its name.\n'],
    [['completion', 'tcsh'], 'There is no completion for tcsh. Name bash, zsh or fish.\n'],
    [
      ['token', '--expires', '2d'],
      '--expires: must be from 1s to 24h. Give a number with s, m or h, for example 15m.\n',
    ],
  ])('%j are one sentence and the code 2', async (words, stderr) => {
    expect(await ended(...words)).toEqual({ code: 2, stdout: '', stderr });
  });

  it('are JSON with --json', async () => {
    const refused = await ended('tail', '--jsn', '--json');
    const invalid = await ended('token', '--expires', '2d', '--json');

    for (const { code, stdout, stderr } of [refused, invalid])
      expect({ code, stdout, error: JSON.parse(stderr) as unknown }).toEqual({
        ...{ code: 2, stdout: '' },
        error: { error: { message: expect.stringMatching(/^(Unknown option|--expires)/), exitCode: 2 } },
      });
  });

  it('a service that does not run is a sentence that says how to start it', async () => {
    expect(await run(['tail'], { PORT: '1' }).ended).toEqual({
      code: 1,
      stdout: '',
      stderr:
        'Nothing answers at http://127.0.0.1:1/graphql. Start the service first, in another terminal: npm start\n',
    });
  });
});

describe('completion', () => {
  it('offers commands, options and scenes in bash', async () => {
    const script = (await ended('completion', 'bash')).stdout;
    const offers = async (...words: readonly string[]): Promise<string> => {
      const list = ['paygraph', ...words].map((word) => `'${word}'`).join(' ');
      const act = `COMP_WORDS=(${list}); COMP_CWORD=${words.length}; _paygraph; echo "\${COMPREPLY[@]}"`;
      return (await promisify(execFile)('bash', ['-c', `${script}\n${act}`])).stdout.trim();
    };

    expect(await offers('tr')).toBe('trigger');
    expect(await offers('trigger', 'refund')).toBe('refunded refund-declined');
    expect(await offers('listen', '--re')).toBe('--replay-last');
  });

  it.each(['zsh', 'fish'])('names every command in %s', async (shell) => {
    const { stdout } = await ended('completion', shell);
    const { stdout: help } = await ended('--help');
    const [list = ''] = /^Commands:$[^]*?^$/m.exec(help) ?? [];
    const commands = [...list.matchAll(/^ {2}([a-z][\w:-]*)/gm)].map(([, name = '']) => name);

    expect(commands.length).toBeGreaterThan(10);
    expect(commands.filter((name) => name !== 'help' && !stdout.replaceAll('\\', '').includes(name))).toEqual(
      [],
    );
  });
});

describe('the commands of a contributor', () => {
  const file = (path: string): string => resolve('test', `${path}.ts`);

  it.each([
    'bench/main',
    'journeys/races',
    'journeys/kills',
    'screenshots',
    'simulation/main',
    'events/chaos',
  ])('test/%s.ts explains itself', async (path) => {
    const { stdout } = await promisify(execFile)(process.execPath, [file(path), '--help']);
    expect(stdout).toMatch(/^npm run [\s\S]*Examples:/);
  });

  it.each([
    ['--nope', "Unknown option '--nope'. Add --help to see what is possible.\n"],
    ['--rounds=x', '--rounds: must be a whole number from 1. Add --help to see what is possible.\n'],
  ])('refuse %s with a sentence', async (word, stderr) => {
    const refused = promisify(execFile)(process.execPath, [file('journeys/races'), word]);
    await expect(refused).rejects.toMatchObject({ code: 2, stderr });
  });
});
