import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { App, Viewer } from '../../src/app.ts';
import { createApp } from '../../src/main.ts';
import { createAntiFraudService, createPaymentService } from '../../src/modules/payment-services/index.ts';
import { parseConfig } from '../../src/platform/process/config.ts';
import type { Db } from '../../src/platform/database/db.ts';
import { setFailpoint } from '../../src/platform/failpoint.ts';
import { systemIds } from '../../src/platform/ids.ts';
import { localKeyProvider } from '../../src/platform/vault/master-key/local-keys.ts';
import { createVault, type Vault } from '../../src/platform/vault/vault.ts';
import { createTestDatabase, onServer } from '../support/database.ts';
import { openKept } from '../support/kept-connections.ts';
import { createGates, type Scene } from './gates.ts';
import {
  BUYER_ID,
  addressOf,
  currenciesOf,
  hasGiftCards,
  isReal,
  JUDGED,
  kindsOf,
  MERCHANTS,
  placeOf,
  threeDSOf,
  type ServiceKind,
} from './harness.ts';
import { PROCESSES } from './plan.ts';
import { createProvider } from './provider.ts';
import { DEFINITIONS, fieldsOf } from './real/connectors.ts';
import { createRandom } from './random.ts';
import { prepareRules } from './rules.ts';
import { createStage, pass } from './stage.ts';
import { headsAfter, NO_HEADS, readState, type Heads } from './state.ts';
import { WEBHOOK_SECRET } from './webhooks.ts';
import { SECRET, THIRD_PARTY } from './third-party.ts';
import { scenariosOf } from './three-ds.ts';
import { CALM } from './weather.ts';
import { relayAll } from '../support/relay-all.ts';

/** A place where histories run one after another: a database with the merchant accounts, and processes. */
export type Lane = {
  /** The original apps. A history may replace them by apps with seeded mistakes. */
  readonly apps: readonly App[];
  /** One viewer for each merchant account. */
  readonly viewers: readonly Viewer[];
  /** Kinds of services by id. */
  readonly services: ReadonlyMap<string, ServiceKind>;
  readonly serviceOf: (merchant: number, kind: ServiceKind) => string;
  /** The active version of each merchant's own rules. */
  readonly versions: readonly string[];
  /** The address for the anti-fraud service's notices. */
  readonly noticesTo: string;
  /** The tokens of the addresses for the payment providers' webhooks, by the address at the provider. */
  readonly webhooksTo: ReadonlyMap<string, string>;
  /** Reads the results of the histories, outside of them. */
  readonly judge: Db;
  heads: Heads;
  /** The ids of each history that the reports count. */
  readonly counted: (readonly string[])[];
  /** The current history of the processes. Null between histories. */
  scene: Scene | null;
  close(): Promise<void>;
};

/** Tells whether the database has its constraints. */
export type Constraints = 'kept' | 'dropped';

/** Creates a lane with an empty database. Takes some 200 ms. */
export async function openLane(constraints: Constraints = 'kept'): Promise<Lane> {
  const [database, folder] = await Promise.all([
    createTestDatabase(),
    mkdtemp(join(tmpdir(), 'paygraph-simulation-')),
  ]);
  await onServer(database.url, GENERIC_PLANS);
  if (constraints === 'dropped') {
    await onServer(database.url, DROP_CONSTRAINTS);
    await onServer(database.url, ALLOCATE_ANYTHING);
  }
  // All processes share one pool, and the next lane keeps it, because each connection has to plan every statement. The choice
  // of the connection makes no difference.
  const raw = openKept({ url: database.url, connectionMax: 12, applicationName: 'simulation' });
  const config = parseConfig({
    DATABASE_URL: database.url,
    PAYGRAPH_DATA_DIR: folder,
    PAYGRAPH_PROVIDER_DEADLINE_MS: String(DEADLINE_MS),
    // Most histories have the order of their rules alone. Few have circuits.
    PAYGRAPH_CIRCUIT_FAILURE_PERCENT: 'off',
    LOG_LEVEL: 'silent',
  });
  const idle = idleScene();
  const gatesOf = (process: number) => createGates(raw, process, () => lane.scene ?? idle);
  const gates = gatesOf(0);
  const wired = await createApp(config, { ...gates, vault: createLaneVault(raw, gates) });
  const apps = Array.from({ length: PROCESSES }, (_, process) => ({ ...wired.app, ...gatesOf(process) }));
  const services = new Map<string, ServiceKind>();
  const ids = new Map<string, string>();
  const webhooksTo = new Map<string, string>();
  const versions: string[] = [];
  const lane: Lane = {
    apps,
    viewers: MERCHANTS.map(({ id }) => viewerOf(id)),
    services,
    serviceOf: (merchant, kind) => ids.get(`${merchant} ${kind}`) ?? '',
    versions,
    noticesTo: '',
    webhooksTo,
    judge: raw,
    heads: NO_HEADS,
    counted: [],
    scene: null,
    close: async () => {
      await wired.close();
      await raw.close();
      await Promise.all([database.drop(), rm(folder, { recursive: true, force: true })]);
    },
  };
  for (const [merchant, viewer] of lane.viewers.entries()) {
    for (const { kind, id, address, token } of await prepareMerchant(apps, viewer, merchant)) {
      webhooksTo.set(address, token);
      services.set(id, kind);
      ids.set(`${merchant} ${kind}`, id);
    }
    versions.push(await prepareRules(wired.app, viewer, (kind) => lane.serviceOf(merchant, kind)));
  }
  const noticesTo = await prepareThirdParty(apps, lane.viewers);
  // The events of the setup precede every history.
  await relayAll(wired.app);
  const heads = headsAfter(NO_HEADS, await readState(lane, [], []));
  everyFailpoint();
  return Object.assign(lane, { noticesTo, heads });
}

/**
 * Creates a vault that reads its keys outside of any history, once. A second read would depend on the real clock. The
 * keys are the same in every database, and so are the provider keys that Paygraph derives from them.
 */
function createLaneVault(db: Db, { clock, ids = systemIds }: ReturnType<typeof createGates>): Vault {
  const seeded = createRandom(1);
  const sameKeys = { ...ids, random: (count: number) => seeded.bytes(count) };
  return createVault({
    ...{ db, clock, ids: sameKeys, currentForMs: Number.MAX_SAFE_INTEGER },
    keys: localKeyProvider({ masterKeys: [Buffer.alloc(32, 1)], ids }),
  });
}

/**
 * The longest duration of a call in simulated time. This value is also the only time-out on the real clock, so it
 * exceeds any stall of the machine.
 */
const DEADLINE_MS = 60_000;

const viewerOf = (merchantAccountId: string): Viewer => ({
  merchantAccountId,
  scopes: ['*.read', '*.write'],
  apiKeyPairId: '',
  reachableMerchantAccountIds: [],
  tokenExpiresAt: new Date('2100-01-01T00:00:00Z'),
});

/** A payment service: its address at the provider, and the token of its webhook address. */
type Service = {
  readonly kind: ServiceKind;
  readonly id: string;
  readonly address: string;
  readonly token: string;
};

/** Creates a merchant account and its payment services. Loads the data keys into memory, outside of any history. */
async function prepareMerchant(
  apps: readonly App[],
  viewer: Viewer,
  merchant: number,
): Promise<readonly Service[]> {
  const [app] = apps as readonly [App];
  const now = app.clock.now();
  const { merchantAccountId: id } = viewer;
  const { overCaptureAmount, overCapturePercentage, lateAuthorizations } =
    MERCHANTS[merchant] ?? MERCHANTS[0];
  await app.db.prisma.merchantAccount.create({
    data: {
      id,
      displayName: id,
      lateAuthorizations,
      overCaptureAmount,
      overCapturePercentage,
      createdAt: now,
      updatedAt: now,
    },
  });
  const made: Service[] = [];
  for (const kind of kindsOf(merchant)) made.push(await prepareService(app, viewer, kind));
  await app.db.prisma.buyer.create({
    data: { merchantAccountId: id, id: BUYER_ID, displayName: 'Ada', createdAt: now, updatedAt: now },
  });
  await app.db.prisma.threeDSScenario.createMany({ data: [...scenariosOf(id, app.ids, now)] });
  const place = { merchantAccountId: id, table: 'operation', column: 'sealed_card', rowId: 'none' } as const;
  await app.vault.fingerprint(id, 'warm');
  await app.vault.open(place, await app.vault.seal(place, 'warm'));
  return made;
}

async function prepareService(app: App, viewer: Viewer, kind: ServiceKind): Promise<Service> {
  const threeDS = threeDSOf(kind);
  const place = placeOf(kind);
  const merchant = MERCHANTS.findIndex(({ id: account }) => account === viewer.merchantAccountId);
  const service = {
    displayName: kind,
    paymentServiceDefinitionId: isReal(place) ? DEFINITIONS[place] : kind,
    ...(threeDS && { threeDSecureEnabled: true, threeDSecureFallback: threeDS }),
    fields: isReal(place)
      ? fieldsOf(place, merchant)
      : [
          { key: 'merchant_id', value: 'simulation' },
          { key: 'api_url', value: addressAt(viewer, kind) },
          ...(hasGiftCards(kind) ? [] : [{ key: 'webhook_secret', value: WEBHOOK_SECRET }]),
        ],
    acceptedCurrencies: [...currenciesOf(kind)],
    acceptedCountries: ['US'],
  };
  const made = await createPaymentService(app, viewer, service, null);
  if (!made.ok) throw new Error(JSON.stringify(made.refusals));
  const { id, webhookUrl } = made.value.paymentService;
  return { kind, id, address: addressAt(viewer, kind), token: webhookUrl.split('/').at(-1) ?? '' };
}

/** Returns the address of a merchant's service at its provider. */
const addressAt = ({ merchantAccountId }: Viewer, kind: ServiceKind): string =>
  `${addressOf(kind)}${merchantAccountId}/${kind}`;

/** Creates the anti-fraud service and returns the token of its address. */
async function prepareThirdParty(apps: readonly App[], viewers: readonly Viewer[]): Promise<string> {
  const service = {
    displayName: 'third party',
    antiFraudServiceDefinitionId: 'mock-anti-fraud',
    fields: [
      { key: 'merchant_id', value: 'simulation' },
      { key: 'api_url', value: THIRD_PARTY },
      { key: 'webhook_secret', value: SECRET },
    ],
  };
  const made = await createAntiFraudService(apps[0] as App, viewers[JUDGED] as Viewer, service, null);
  if (!made.ok) throw new Error(JSON.stringify(made.refusals));
  return made.value.antiFraudService.webhookUrl.split('/').at(-1) ?? '';
}

function idleScene(): Scene {
  const stage = createStage(createRandom(0), CALM);
  return { stage, provider: createProvider(stage) };
}

/** Turns each failpoint into a point of the current history. Outside of a history a failpoint does nothing. */
const everyFailpoint = (): void => void setFailpoint('*', (name) => pass(name, async () => undefined));

/** Saves time: each connection would plan each of the large statements five times before using a generic plan. */
const GENERIC_PLANS = `
  DO $$ BEGIN
    IF current_setting('plan_cache_mode') <> 'force_generic_plan' THEN
      EXECUTE format('ALTER DATABASE %I SET plan_cache_mode = force_generic_plan', current_database());
    END IF;
  END $$`;

/** Lets refunds through that the captures cannot carry. Such a refund then has captures without any key. */
const ALLOCATE_ANYTHING = `
  ALTER FUNCTION allocate_refund(text, uuid, integer) RENAME TO allocate_fitting_refund;
  CREATE FUNCTION allocate_refund(account text, payment uuid, wanted integer) RETURNS jsonb LANGUAGE plpgsql AS $$
  BEGIN
    RETURN allocate_fitting_refund(account, payment, wanted);
  EXCEPTION WHEN raise_exception THEN
    RETURN '[]'::jsonb;
  END $$`;

/** Removes the second wall of defence, so that a mistake in the code shows itself. */
const DROP_CONSTRAINTS = `
  DO $$
  DECLARE one record;
  BEGIN
    FOR one IN SELECT conrelid::regclass AS place, conname FROM pg_constraint WHERE contype = 'c'
      AND conrelid IN ('transaction'::regclass, 'operation'::regclass, 'redemption'::regclass, 'ledger_entry'::regclass)
    LOOP EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', one.place, one.conname); END LOOP;
    FOR one IN SELECT indexrelid::regclass AS place FROM pg_index WHERE indisunique AND NOT indisprimary
      AND indrelid IN ('operation'::regclass, 'redemption'::regclass, 'ledger_entry'::regclass)
    LOOP EXECUTE format('DROP INDEX %s', one.place); END LOOP;
  END $$`;
