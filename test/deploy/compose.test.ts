import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestServer, type TestServer } from '../support/server.ts';

const FILE = readFileSync('compose.yaml', 'utf8');

/** Returns the lines of a service, without its name. */
const serviceOf = (name: string): string =>
  new RegExp(String.raw`^  ${name}:\n((?: {4}.*\n)+)`, 'm').exec(FILE)?.[1] ?? '';

/** The program of the health check. */
const CHECK = /^ +(fetch\('.*)$/m.exec(FILE)?.[1] ?? '';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const exitCode = (port: string): Promise<unknown> =>
  new Promise((resolve) =>
    execFile(process.execPath, ['-e', CHECK], { env: { PORT: port } }, (error) => resolve(error?.code ?? 0)),
  );

describe('compose.yaml', () => {
  it('has a process for requests and a worker beside it', () => {
    expect([serviceOf('api'), serviceOf('worker')]).toEqual([
      expect.stringMatching(/PAYGRAPH_ROLES: api$/m),
      expect.stringMatching(/PAYGRAPH_ROLES: worker$/m),
    ]);
  });

  it('calls a process healthy while it is ready', async () => {
    const { port } = new URL(server.url);
    const ready = await exitCode(port);
    server.http.setReady(false);
    const draining = await exitCode(port);
    server.http.setReady(true);

    expect([ready, draining, await exitCode('1')]).toEqual([0, 1, 1]);
  });
});
