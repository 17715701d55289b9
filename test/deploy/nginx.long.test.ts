import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { once } from 'node:events';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { issueChain } from '../support/certificates.ts';
import { createTestDatabase, query, type TestDatabase } from '../support/database.ts';
import { lastingPort } from '../support/lasting-port.ts';
import { masterKeyText } from '../support/master-key.ts';
import { startProcess, type ServerProcess } from '../support/process.ts';
import { until } from '../support/until.ts';
import { describeWith, NGINX } from './tools.ts';

// The site of the page is in front of two processes. Clients send mutations while the processes restart one after the other.

const HOST = 'pay.example.com';
const CLIENTS = 4;
const MUTATION = '{"query":"mutation { createBuyer(input: { displayName: \\"Ada\\" }) { buyer { id } } }"}';

let folder: string;
let database: TestDatabase;
let nginx: ChildProcess;
let listening: number;
let token: string;
const ports: number[] = [];
const processes: ServerProcess[] = [];

const start = (port: number): Promise<ServerProcess> =>
  startProcess({
    ...{ DATABASE_URL: database.url, PAYGRAPH_MASTER_KEY: masterKeyText(7), PORT: String(port) },
    ...{ PAYGRAPH_ALLOWED_HOSTS: HOST, PAYGRAPH_METRICS: 'true' },
  });

/** Returns the site of the page, with the ports and the files of this test. */
async function site(): Promise<string> {
  const page = await readFile('src/docs/operate/image.md', 'utf8');
  const [, block = ''] = /```nginx\n([^]*?)```/.exec(page) ?? [];
  const [first, second] = ports;
  return block
    .replace('127.0.0.1:4000', `127.0.0.1:${first}`)
    .replace('127.0.0.1:4002', `127.0.0.1:${second}`)
    .replace('listen 443', `listen 127.0.0.1:${listening}`)
    .replaceAll('/etc/ssl/', `${folder}/`);
}

const TEMPORARY = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];

async function startNginx(): Promise<ChildProcess> {
  const now = Date.now();
  const { leaf, leafKey } = issueChain(HOST, {
    from: new Date(now - 60_000),
    until: new Date(now + 3_600_000),
  });
  await writeFile(join(folder, `${HOST}.pem`), leaf);
  await writeFile(join(folder, `${HOST}.key`), leafKey.export({ format: 'pem', type: 'pkcs8' }));
  const paths = TEMPORARY.map((name) => `${name}_temp_path ${folder}/${name};`).join(' ');
  const settings = join(folder, 'nginx.conf');
  await writeFile(
    settings,
    `pid ${folder}/pid; daemon off; events {} http { access_log off; ${paths}\n${await site()}}`,
  );
  return spawn(NGINX, ['-c', settings, '-e', join(folder, 'error.log')], { stdio: 'inherit' });
}

/** Sends a request through nginx. Returns its status and body. */
async function send(path: string, body?: string): Promise<string> {
  const sent = request({
    ...{ host: '127.0.0.1', port: listening, path, servername: HOST, rejectUnauthorized: false },
    method: body === undefined ? 'GET' : 'POST',
    headers: { host: HOST, authorization: `Bearer ${token}`, 'content-type': 'application/json' },
  });
  sent.end(body);
  const [answer] = (await once(sent, 'response')) as [AsyncIterable<Buffer> & { statusCode: number }];
  const parts: Buffer[] = [];
  for await (const part of answer) parts.push(part);
  return `${answer.statusCode} ${Buffer.concat(parts).toString()}`;
}

const buyers = async (): Promise<number> =>
  (await query<{ count: number }>(database.url, 'SELECT count(*)::int FROM buyer'))[0]?.count ?? NaN;

describeWith([NGINX], 'nginx by the example of the page', () => {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'paygraph-nginx-'));
    database = await createTestDatabase();
    listening = await lastingPort();
    for (let nth = 0; nth < 2; nth++) {
      const port = await lastingPort();
      ports.push(port);
      processes.push(await start(port));
    }
    token = processes[0]?.token ?? '';
    nginx = await startNginx();
    await until(
      () =>
        send('/ready').then(
          (answer) => answer.startsWith('200 '),
          () => false,
        ),
      'nginx is ready',
    );
  }, 60_000);
  afterAll(async () => {
    nginx.kill('SIGTERM');
    await once(nginx, 'exit');
    await Promise.all(processes.map((each) => each.stop()));
    await database.drop();
    await rm(folder, { recursive: true, force: true });
  });

  it('loses no request while the processes restart one by one', async () => {
    const faults: string[] = [];
    const before = await buyers();
    let answers = 0;
    let isOver = false;
    const clients = Array.from({ length: CLIENTS }, async () => {
      while (!isOver) {
        const answer = await send('/graphql', MUTATION).catch(String);
        answers += 1;
        if (!/^200 .*"buyer":\{"id"/.test(answer)) faults.push(answer);
      }
    });
    for (const [nth, port] of ports.entries()) {
      await processes[nth]?.stop();
      const answered = answers;
      await until(() => answers > answered + 2 * CLIENTS, 'answers of the other process');
      processes[nth] = await start(port);
    }
    isOver = true;
    await Promise.all(clients);

    expect(faults).toEqual([]);
    // A request that reached two processes would have made two buyers.
    expect(await buyers()).toBe(before + answers);
  });

  it('keeps the metrics inside', async () => {
    expect(await send('/metrics')).toMatch(/^404 /);
  });
});
