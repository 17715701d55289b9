import type { Config } from '../../platform/process/config.ts';
import { howToRun } from '../../platform/process/how-to-run.ts';
import { findService } from '../service/access.ts';
import { askForData } from '../service/ask.ts';
import { tried, type Report } from './checks.ts';

/**
 * Checks a running service: its readiness, its public address and its webhook endpoints. A worker alone answers no question
 * about endpoints.
 */
export async function checkService(config: Config, report: Report): Promise<void> {
  if (config.PORT === 0) return;
  const access = findService('doctor', {});
  const isApi = config.PAYGRAPH_ROLES.includes('api');
  const address = isApi ? access.url : new URL(access.url).origin;
  const ready = await statusOf(new URL('/ready', access.url).href);
  if (ready === null)
    return report({
      check: 'service',
      state: 'warning',
      sentence: `Nothing answers at ${address}. Start the service with: ${howToRun('start')}`,
    });
  report({
    check: 'service',
    state: ready === 200 ? 'ok' : 'failed',
    sentence: ready === 200 ? `${address} is ready.` : `${address} answers ${ready} at /ready.`,
  });
  await checkPublicUrl(config, report);
  if (!isApi) return;
  await tried('webhook endpoints', report, async () => {
    const { webhookEndpoints } = await askForData<Endpoints>(access, { query: ENDPOINTS });
    reportEndpoints(webhookEndpoints.nodes, report);
  });
}

/** Providers and buyers reach the service under its public address. */
async function checkPublicUrl({ PAYGRAPH_PUBLIC_URL, production }: Config, report: Report): Promise<void> {
  const check = 'public address';
  if (PAYGRAPH_PUBLIC_URL === undefined)
    return report({
      check,
      state: production ? 'failed' : 'ok',
      sentence: 'PAYGRAPH_PUBLIC_URL is not set, so only this machine reaches the service.',
    });
  // The address may end with a path, under which a proxy serves Paygraph.
  const status = await statusOf(`${PAYGRAPH_PUBLIC_URL.replace(/\/$/, '')}/health`);
  const answer = status === null ? 'does not answer' : `answers ${status}`;
  report({
    check,
    state: status === 200 ? 'ok' : 'failed',
    sentence:
      status === 200
        ? `${PAYGRAPH_PUBLIC_URL} reaches the service.`
        : `${PAYGRAPH_PUBLIC_URL} ${answer} from here. Check DNS, TLS and the proxy.`,
  });
}

const ENDPOINTS = '{ webhookEndpoints(first: 100) { nodes { url state stateReason } } }';

type Endpoint = { readonly url: string; readonly state: string; readonly stateReason: string | null };
type Endpoints = { readonly webhookEndpoints: { readonly nodes: readonly Endpoint[] } };

function reportEndpoints(endpoints: readonly Endpoint[], report: Report): void {
  const check = 'webhook endpoints';
  const ill = endpoints.filter(({ state }) => state !== 'ACTIVE');
  for (const { url, state, stateReason } of ill)
    report({ check, state: 'failed', sentence: `${url} is ${state}. ${stateReason ?? ''}`.trim() });
  if (ill.length > 0) return;
  const sentence = endpoints.length === 0 ? 'None is registered.' : `${endpoints.length} receive events.`;
  report({ check, state: 'ok', sentence });
}

const CHECK_MS = 5_000;

/** Returns the status of an address. Null when nothing answers within five seconds. */
async function statusOf(url: string): Promise<number | null> {
  const response = await fetch(url, { signal: AbortSignal.timeout(CHECK_MS), redirect: 'manual' }).catch(
    () => null,
  );
  return response?.status ?? null;
}
