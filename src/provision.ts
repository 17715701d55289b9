import type { App, Viewer } from './app.ts';
import {
  ALL_SCOPES,
  DEFAULT_MERCHANT_ACCOUNT,
  mintToken,
  provisionApiKey,
} from './modules/accounts/index.ts';
import { createPaymentService } from './modules/payment-services/index.ts';
import { readApiKeyFile, writeApiKeyFile, type ApiKeyFile } from './platform/api-key-file.ts';
import { readFact, recordFact } from './platform/installation-facts.ts';
import { withAdvisoryLock } from './platform/postgres/advisory-lock.ts';

/** What a sandbox has for whoever tries it. */
export type Sandbox = {
  /** A new token with every scope, good for 24 hours. */
  token(): Promise<string>;
};

/** As long as a token may live; a day of trying things needs no second one. */
const TOKEN_SECONDS = 86_400;

/** Recorded once the payment service was made, so that one that was deleted does not come back. */
const FACT = 'sandbox.payment_service';

/**
 * Gives a sandbox what a first payment needs: the merchant account `default`, an API key pair whose private half is kept
 * in the data folder, and a payment service "Sandbox card". Does nothing that is done already. One process at a time;
 * a crash in between is made good by the next start. Never call it in production.
 */
export async function provisionSandbox(app: App, url: string): Promise<Sandbox> {
  const key = await withAdvisoryLock(url, 'paygraph.provision', async () => {
    const folder = app.config.PAYGRAPH_DATA_DIR;
    const kept = await readApiKeyFile(folder);
    const current = await provisionApiKey(app, kept);
    if (current !== kept) await writeApiKeyFile(folder, current);
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
  // The key makes a start that died between the two commits find its service again.
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
