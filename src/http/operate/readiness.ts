import type { FastifyInstance } from 'fastify';

/** Returns true if a part works. Returns false or a sentence with the reason if not, or throws. */
export type Check = () => CheckResult | Promise<CheckResult>;

type CheckResult = boolean | string;

export type Readiness = { set(ready: boolean): void };

/**
 * Serves two addresses, which are open to anybody and reveal nothing more:
 *
 * - `GET /health` says that the process runs.
 * - `GET /ready` says that requests can be served. Otherwise the answer is 503 with the failed parts and their reasons.
 *
 * Checks run at most twice a second.
 */
export function serveReadiness(server: FastifyInstance, checks: Readonly<Record<string, Check>>): Readiness {
  let accepting = false;
  let latest: { readonly since: number; readonly result: Promise<Outcomes> } | undefined;
  const outcomes = (): Promise<Outcomes> => {
    if (!latest || performance.now() - latest.since > REUSE_MS) {
      latest = { since: performance.now(), result: runChecks(checks) };
    }
    return latest.result;
  };
  server.get('/health', async () => ({ status: 'ok' }));
  server.get('/ready', async (_request, reply) => {
    const found = await outcomes();
    const checks = Object.fromEntries(
      found.map(([name, result]) => [name, result === true ? 'ok' : 'failed']),
    );
    if (found.every(([, result]) => result === true) && accepting) return { status: 'ready', checks };
    const reasons = Object.fromEntries(found.filter(([, result]) => typeof result === 'string'));
    return reply.code(503).send({
      status: accepting ? 'failing' : 'not_accepting',
      checks,
      ...(Object.keys(reasons).length > 0 && { reasons }),
    });
  });
  return { set: (ready) => void (accepting = ready) };
}

type Outcomes = readonly (readonly [string, CheckResult])[];

const REUSE_MS = 500;
const DEADLINE_MS = 2_000;

const runChecks = (checks: Readonly<Record<string, Check>>): Promise<Outcomes> =>
  Promise.all(Object.entries(checks).map(async ([name, check]) => [name, await runCheck(check)] as const));

async function runCheck(check: Check): Promise<CheckResult> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => void (timer = setTimeout(resolve, DEADLINE_MS, false)));
  try {
    return await Promise.race([check(), late]);
  } catch {
    // The check's owner logs its own faults. Only the result counts here.
    return false;
  } finally {
    clearTimeout(timer);
  }
}
