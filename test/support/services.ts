import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from '@jest/globals';
import type { App } from '../../src/app.ts';
import { startService, type Service } from '../../src/main.ts';
import { parseConfig } from '../../src/platform/process/config.ts';
import { settingsOf } from './behind-pooler.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';

/** The database of the present test, and the services that it has started. */
export type Services = {
  readonly database: () => TestDatabase;
  /** Starts a service as `npm start` does, with other parts where given. The service ends with the test. */
  readonly start: (settings?: Readonly<Record<string, string>>, overrides?: Partial<App>) => Promise<Service>;
};

/** Gives each test of the file a database and a data folder of its own. */
export function useServices(): Services {
  let database: TestDatabase;
  let folder: string;
  const services: Service[] = [];
  beforeEach(async () => {
    database = await createTestDatabase();
    folder = await mkdtemp(join(tmpdir(), 'paygraph-service-'));
  });
  afterEach(async () => {
    for (const service of services.splice(0)) await service.stop();
    await database.drop().catch(() => undefined);
    await rm(folder, { recursive: true });
  });
  return {
    database: () => database,
    start: async (settings = {}, overrides = {}) => {
      const base = { PORT: '0', ...settingsOf(database.url), PAYGRAPH_DATA_DIR: folder, LOG_LEVEL: 'silent' };
      const service = await startService(parseConfig({ ...base, ...settings }), { overrides });
      services.push(service);
      return service;
    },
  };
}

/** Asks a service whether it is ready. */
export async function readiness({ url }: Service): Promise<unknown> {
  const response = await fetch(`${url}/ready`);
  const body: unknown = await response.json();
  return { status: response.status, body };
}
