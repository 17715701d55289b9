import { execFile } from 'node:child_process';
import { chmod, cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { run, type Running } from '../support/command.ts';
import { INSTALL_MS } from '../support/install-apart.ts';
import { pack } from '../support/pack.ts';

const execute = promisify(execFile);

/** The folder of a person who has installed the packed package, and nothing else. */
let folder: string;
let scratch: string;
const running: Running[] = [];

beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'paygraph-packed-'));
  folder = join(scratch, 'shop');
  await mkdir(folder);
  const file = await pack(join(scratch, 'source'));
  await execute('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', file], { cwd: folder });
}, INSTALL_MS);
afterAll(async () => {
  for (const each of running) await each.end('SIGTERM');
  // Another user owns the embedded database when root runs the tests.
  await rm(scratch, { recursive: true, force: true });
});

/** Runs the installed program, as a shell finds it. */
function paygraph(args: readonly string[], settings: Readonly<Record<string, string>> = {}): Running {
  const program = join(folder, 'node_modules/.bin/paygraph');
  const started = run(program, args, settings, folder);
  running.push(started);
  return started;
}

describe('the packed package', () => {
  it('starts a sandbox in an empty folder, with its pages, and ends on Ctrl-C', async () => {
    const started = paygraph([], { PORT: '0' });
    const screen = await started.printed('Ctrl-C stops');
    const url = /GraphQL +(\S+)\/graphql/.exec(screen)?.[1] ?? '';
    const statusOf = async (path: string): Promise<number> => (await fetch(`${url}${path}`)).status;
    const paths = ['/', '/graphiql/graphiql.js', '/graphiql/in-browser.js', '/dashboard/', '/docs'];
    const further = ['/docs/quickstart', '/openapi.json', '/ready'];

    expect(await Promise.all([...paths, ...further].map(statusOf))).toEqual(Array(8).fill(200));
    expect(screen).toContain('\n  paygraph demo\n');
    const demo = await paygraph(['demo'], { PORT: new URL(url).port }).ended;
    expect(demo).toMatchObject({ code: 0, stdout: expect.stringContaining('Done.') });
    expect(await started.end('SIGINT')).toMatchObject({ code: 0 });
    expect(await readdir(folder)).toEqual(
      expect.arrayContaining(['.paygraph', 'node_modules', 'package.json']),
    );
  });

  it('names its version and its commands', async () => {
    expect(await paygraph(['--version']).ended).toMatchObject({ code: 0, stdout: '0.1.0\n' });
    expect((await paygraph(['--help']).ended).stdout).toContain('Usage: paygraph [options] [command]');
  });

  it('has a program that a clone has too', async () => {
    expect(await run('node_modules/.bin/paygraph', ['--version'], {}).ended).toMatchObject({
      code: 0,
      stdout: '0.1.0\n',
    });
  });

  it('refuses to write a migration in a sentence, because it holds no models', async () => {
    expect(await paygraph(['migrate:new', 'add_gift_cards']).ended).toEqual({
      ...{ code: 1, stdout: '' },
      stderr:
        'migrate:new needs the Prisma models of the repository, which this installation lacks. Run migrate:new in a clone.\n',
    });
  });

  it('says in a sentence that a Node is too old, when it brings no Node of its own', async () => {
    const program = join(scratch, 'old', 'paygraph.cjs');
    await cp('src/cli/paygraph.cjs', program);
    await chmod(program, 0o755);
    const pretend = join(scratch, 'old', 'pretend.cjs');
    await writeFile(
      pretend,
      `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '18.20.8' } });`,
    );

    expect(await run(process.execPath, ['--require', pretend, program, 'start'], {}).ended).toEqual({
      code: 1,
      stdout: '',
      stderr:
        'Paygraph needs Node 22.18 or later, and this is Node 18.20.8. ' +
        'Install a newer Node from https://nodejs.org, then run paygraph again.\n',
    });
  });
});
