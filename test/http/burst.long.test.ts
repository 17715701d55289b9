import { once } from 'node:events';
import { Agent, get } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { startProcess, type ServerProcess } from '../support/process.ts';

const CALLERS = 2_000;

let database: TestDatabase;
let server: ServerProcess;
beforeAll(async () => {
  database = await createTestDatabase();
  server = await startProcess({ DATABASE_URL: database.url });
}, 60_000);
afterAll(async () => {
  await server.kill();
  await database.drop();
});

it('lets 2,000 connections wait while the process is busy, and answers them all', async () => {
  process.kill(server.pid, 'SIGSTOP');
  const sockets = Array.from({ length: CALLERS }, () =>
    connect(Number(new URL(server.url).port), '127.0.0.1'),
  );
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  process.kill(server.pid, 'SIGCONT');
  const statuses = await Promise.all(sockets.map(askForHealth));
  expect(statuses.filter((status) => status !== 200)).toEqual([]);
}, 30_000);

const askForHealth = (socket: Socket): Promise<number | string | undefined> =>
  new Promise((resolve) => {
    const agent = new Agent({ keepAlive: false });
    Object.assign(agent, { createConnection: () => socket });
    get(`${server.url}/health`, { agent }, (answer) => resolve(answer.resume().statusCode)).once(
      'error',
      (error) => resolve(error.message),
    );
  });
