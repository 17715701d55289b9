import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { constants } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createEmptyDatabase, query, type TestDatabase } from '../support/database.ts';
import { lastingPort } from '../support/lasting-port.ts';
import { masterKeyText } from '../support/master-key.ts';
import { buildImage, IMAGE, openEngine, type Engine } from './image-build.ts';
import { openContainers, PODMAN, type Containers, type Service } from './image-run.ts';
import { describeWith } from './tools.ts';

const BUILD_MS = 600_000;
const SERVICE = 'paygraph-test';

let scratch: string;
let engine: Engine;
let database: TestDatabase;
let containers: Containers;
let url: string;
let service: Service | null = null;

const PAYMENT_SERVICE = `mutation { createPaymentService(input: {
  displayName: "Cards", paymentServiceDefinitionId: "mock-card", fields: [{ key: "merchant_id", value: "shop" }]
  acceptedCurrencies: ["USD"], acceptedCountries: ["US"]
}) { userErrors { message } } }`;

const PAYMENT = `mutation { createTransaction(idempotencyKey: "first", input: {
  amount: 1299, currency: "USD", country: "US"
  paymentMethod: { card: { number: "4111 1111 1111 1111", expirationDate: "03/30", securityCode: "100" } }
}) { transaction { id status } userErrors { message } } }`;

const CAPTURE = `mutation($id: ID!) { captureTransaction(id: $id, input: {}) {
  capture { status amount } userErrors { message } } }`;

/** Opens the compile cache as the program does, and counts the files for this user. */
const COMPILED = `const { readdirSync } = require('node:fs');
  const { status, directory } = require('node:module').enableCompileCache('/app/node_modules/.cache/paygraph');
  const files = readdirSync(directory, { recursive: true });
  console.log(JSON.stringify([status, files.filter((file) => file.includes('-1000/')).length]))`;

/** The user, the capabilities, and the error of a write to the program. */
const RIGHTS = `const { readFileSync, writeFileSync } = require('node:fs');
  const [, capabilities] = /CapEff:\\s*(\\w+)/.exec(readFileSync('/proc/self/status', 'utf8'));
  const write = () => { try { writeFileSync('/app/src/cli/paygraph.cjs', ''); } catch ({ code }) { return code; } };
  console.log(JSON.stringify([process.getuid(), capabilities, write()]))`;

type Answer = {
  readonly data: Readonly<Record<string, Record<string, unknown> & { userErrors: unknown[] }>>;
};

async function ask(token: string, text: string, variables: object = {}): Promise<Answer> {
  const answer = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query: text, variables }),
  });
  return (await answer.json()) as Answer;
}

describeWith(['buildah', 'podman', 'runc'], 'the image', () => {
  beforeAll(async () => {
    scratch = await mkdtemp(join(tmpdir(), 'paygraph-image-'));
    [engine, database] = [await openEngine(scratch), await createEmptyDatabase()];
    await buildImage(engine, scratch);
    const data = join(scratch, 'data');
    await mkdir(data);
    await chmod(data, 0o1777);
    const port = String(await lastingPort());
    url = `http://127.0.0.1:${port}`;
    const settings = {
      PORT: port,
      DATABASE_URL: database.url,
      PAYGRAPH_MASTER_KEY: masterKeyText(1),
      PAYGRAPH_PUBLIC_URL: url,
      PAYGRAPH_ALLOW_HTTP_PUBLIC_URL: 'true',
      PAYGRAPH_ALLOW_SANDBOX_PROVIDERS: 'true',
    };
    containers = openContainers(engine, settings, data);
  }, BUILD_MS);
  afterAll(async () => {
    await service?.stop();
    await database.drop();
    await engine('buildah', 'rm', '--all');
    await engine('buildah', 'rmi', '--all', '--force');
    await rm(scratch, { recursive: true, force: true });
  }, BUILD_MS);

  it('has at most 200 MB, and 75 MB compressed', async () => {
    const container = await engine('buildah', 'from', '--pull-never', IMAGE);
    const root = await engine('buildah', 'mount', container);
    const count = `du -sb ${root} | cut -f 1; tar -C ${root} -c . | gzip -6 | wc -c`;
    const { stdout } = await promisify(execFile)('sh', ['-c', count]);
    const [unpacked = 0, compressed = 0] = stdout.trim().split('\n').map(Number);

    expect({ unpacked, fits: unpacked < 200e6 }).toEqual({ unpacked, fits: true });
    expect({ compressed, fits: compressed < 75e6 }).toEqual({ compressed, fits: true });
  }, 60_000);

  it('finds its program compiled, although it may not write there', async () => {
    const [status, files] = JSON.parse(await containers.evaluate(COMPILED)) as number[];

    expect(status).toBe(constants.compileCacheStatus.ENABLED);
    expect(files).toBeGreaterThan(1_000);
  }, 60_000);

  it('runs as a plain user, without capabilities and without a place to write', async () => {
    expect(JSON.parse(await containers.evaluate(RIGHTS))).toEqual([1000, '0000000000000000', 'EROFS']);
  }, 60_000);

  it(
    'is set up, and pays',
    async () => {
      const steps = await containers.run('setup', '--yes', '--key-file', '/data/key.json');
      expect(steps).toContain('paygraph token --key /data/key.json');
      expect(steps).not.toContain('npm');
      service = await containers.start(SERVICE);
      const token = await containers.run('token', '--key', '/data/key.json');

      expect(await ask(token, PAYMENT_SERVICE)).toEqual({
        data: { createPaymentService: { userErrors: [] } },
      });
      const paid = (await ask(token, PAYMENT)).data['createTransaction'];
      expect(paid).toMatchObject({ transaction: { status: 'AUTHORIZATION_SUCCEEDED' }, userErrors: [] });
      const { id } = paid?.['transaction'] as { readonly id: string };
      expect(await ask(token, CAPTURE, { id })).toEqual({
        data: { captureTransaction: { capture: { status: 'SUCCEEDED', amount: 1299 }, userErrors: [] } },
      });
      expect(await query(database.url, 'SELECT kind, amount FROM ledger_entry ORDER BY kind')).toEqual([
        { kind: 'authorize', amount: 1299 },
        { kind: 'capture', amount: 1299 },
      ]);
    },
    BUILD_MS,
  );

  it('answers its health check and its pages', async () => {
    const inspected = await engine('buildah', 'inspect', '--type', 'image', IMAGE);
    const { Docker } = JSON.parse(inspected) as { Docker: { config: { Healthcheck: { Test: string[] } } } };
    const [, ...check] = Docker.config.Healthcheck.Test;
    await engine('podman', ...PODMAN, 'exec', SERVICE, ...check);

    const statusOf = async (path: string): Promise<number> => (await fetch(`${url}${path}`)).status;
    expect(await Promise.all(['/ready', '/dashboard/', '/docs'].map(statusOf))).toEqual([200, 200, 200]);
  });

  it('stops gently on SIGTERM, and speaks of no npm', async () => {
    const code = await service?.stop();

    expect({ code, screen: service?.screen() }).toEqual({
      code: 0,
      screen: expect.stringContaining('Stopped.'),
    });
    expect(service?.screen()).not.toContain('npm');
  }, 60_000);
});
