import type { App, Viewer } from './app.ts';
import {
  ALL_SCOPES,
  DEFAULT_MERCHANT_ACCOUNT,
  mintToken,
  provisionApiKey,
} from './modules/accounts/index.ts';
import { createPaymentService } from './modules/payment-services/index.ts';
import {
  readApiKeyFile,
  sandboxKeyPath,
  writeApiKeyFile,
  type ApiKeyFile,
} from './platform/process/api-key-file.ts';
import { readFact, recordFact } from './platform/database/installation-facts.ts';
import { withAdvisoryLock } from './platform/postgres/advisory-lock.ts';

/** The access to a provisioned sandbox. */
export type Sandbox = {
  /** Creates a token with every scope, valid for 24 hours. */
  token(): Promise<string>;
};

/** The longest lifetime of a token. */
const TOKEN_SECONDS = 86_400;

/** The fact that is recorded after the payment service is created. A deleted payment service is not created again. */
const FACT = 'sandbox.payment_service';

/**
 * Provisions a sandbox for a first payment. Never call it in production.
 *
 * - It creates the merchant account `default`.
 * - It creates an API key pair, and writes the private key to the data folder.
 * - It creates a payment service "Sandbox card".
 *
 * A repeat changes nothing. One process provisions at a time. After a crash, the next start completes the rest.
 */
export async function provisionSandbox(app: App, url: string): Promise<Sandbox> {
  const key = await withAdvisoryLock(url, 'paygraph.provision', async () => {
    const path = sandboxKeyPath(app.config.PAYGRAPH_DATA_DIR);
    const stored = await readApiKeyFile(path);
    const current = await provisionApiKey(app, stored);
    if (current !== stored) await writeApiKeyFile(path, current);
    await provisionPaymentService(app);
    return current;
  });
  return { token: () => mintSandboxToken(app, key) };
}

async function provisionPaymentService(app: App): Promise<void> {
  if ((await readFact(app.db, FACT)) !== null) return;
  const now = app.clock.now();
  const viewer: Viewer = {
    merchantAccountId: DEFAULT_MERCHANT_ACCOUNT,
    scopes: ALL_SCOPES,
    apiKeyPairId: 'provisioning',
    reachableMerchantAccountIds: [],
    tokenExpiresAt: now,
  };
  const input = {
    displayName: 'Sandbox card',
    paymentServiceDefinitionId: 'mock-card',
    fields: [{ key: 'merchant_id', value: 'sandbox' }],
    acceptedCurrencies: ['USD', 'EUR', 'GBP'],
    acceptedCountries: ['US', 'GB', 'DE', 'FR', 'ES', 'IT', 'NL'],
  };
  // After a crash between the two commits, the key finds the created service again.
  const created = await createPaymentService(app, viewer, input, 'paygraph-first-run');
  if (!created.ok) throw new Error(`The sandbox card was refused: ${JSON.stringify(created.refusals)}`);
  await recordFact(app.db, { name: FACT, value: created.value.paymentService.id, createdAt: now });
}

const mintSandboxToken = (app: App, key: ApiKeyFile): Promise<string> =>
  mintToken({
    ...key,
    scopes: ALL_SCOPES,
    issuer: 'paygraph-sandbox',
    expiresInSeconds: TOKEN_SECONDS,
    now: app.clock.now(),
    jti: app.ids.uuid(),
  });
