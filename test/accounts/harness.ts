import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { App, Viewer } from '../../src/app.ts';
import { createApp } from '../../src/main.ts';
import {
  createApiKeyPair,
  type ApiKeyPair,
  type CreateApiKeyPairInput,
} from '../../src/modules/accounts/index.ts';
import { parseConfig } from '../../src/platform/process/config.ts';
import { openKept } from '../support/kept-connections.ts';
import { createTestDatabase } from '../support/database.ts';

/** A clock that stands still until a test moves the time. */
export type StillClock = { now: Date; readonly advance: (ms: number) => void };

/** A key pair with its private half. */
export type Key = ApiKeyPair & { readonly privateKeyPem: string };

/** The service without HTTP, on a separate database with merchant accounts and no key. */
export type Accounts = {
  readonly app: App;
  readonly clock: StillClock;
  readonly createKey: (input?: Partial<CreateApiKeyPairInput>) => Promise<Key>;
  stop(): Promise<void>;
};

export const EVERYTHING: readonly string[] = ['*.read', '*.write'];

/** A viewer with every right. */
export const ROOT: Viewer = {
  merchantAccountId: 'default',
  scopes: EVERYTHING,
  apiKeyPairId: '01900000-0000-7000-8000-000000000000',
  reachableMerchantAccountIds: [],
  tokenExpiresAt: new Date('2100-01-01T00:00:00Z'),
};

export async function openAccounts(merchantAccountIds: readonly string[]): Promise<Accounts> {
  const clock: StillClock = {
    now: new Date('2026-03-01T12:00:30.000Z'),
    advance: (ms) => {
      clock.now = new Date(clock.now.getTime() + ms);
    },
  };
  const [database, folder] = await Promise.all([
    createTestDatabase(),
    mkdtemp(join(tmpdir(), 'paygraph-accounts-')),
  ]);
  const config = parseConfig({
    DATABASE_URL: database.url,
    DATABASE_POOL: '4',
    PAYGRAPH_DATA_DIR: folder,
    LOG_LEVEL: 'silent',
    PAYGRAPH_TOKEN_AUDIENCE: 'shop',
  });
  const overrides = { clock: { now: () => clock.now, sleep: async () => undefined } };
  const wired = await createApp(config, overrides, openKept);
  const { app } = wired;
  for (const id of merchantAccountIds) {
    await app.db.prisma.merchantAccount.create({
      data: { id, displayName: id, createdAt: clock.now, updatedAt: clock.now },
    });
  }
  return {
    app,
    clock,
    createKey: async (input = {}) => {
      const made = await createApiKeyPair(
        app,
        ROOT,
        { displayName: 'Test', scopes: EVERYTHING, ...input },
        null,
      );
      if (!made.ok || made.value.privateKey === null) throw new Error('No key was made.');
      return { ...made.value.apiKeyPair, privateKeyPem: made.value.privateKey };
    },
    stop: async () => {
      await wired.close();
      await Promise.all([database.drop(), rm(folder, { recursive: true, force: true })]);
    },
  };
}
