import type { FastifyInstance } from 'fastify';

/** Tells whether a part works. May throw instead of returning false. */
export type Check = () => boolean | Promise<boolean>;

export type Readiness = { set(ready: boolean): void };

/**
 * Serves `GET /health`, which says that the process runs. Serves `GET /ready`, which says that requests can be served,
 * or answers 503 with the parts that do not work. Both are open to anybody and reveal nothing more. Checks run at most
 * twice a second.
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
    const failed = Object.values(found).includes('failed');
    if (!failed && accepting) return { status: 'ready', checks: found };
    return reply.code(503).send({ status: accepting ? 'failing' : 'not_accepting', checks: found });
  });
  return { set: (ready) => void (accepting = ready) };
}

type Outcomes = Readonly<Record<string, 'ok' | 'failed'>>;

const REUSE_MS = 500;
const DEADLINE_MS = 2_000;

async function runChecks(checks: Readonly<Record<string, Check>>): Promise<Outcomes> {
  const entries = Object.entries(checks).map(async ([name, check]) => [name, await runCheck(check)] as const);
  return Object.fromEntries(await Promise.all(entries));
}

async function runCheck(check: Check): Promise<'ok' | 'failed'> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => void (timer = setTimeout(resolve, DEADLINE_MS, false)));
  try {
    return (await Promise.race([check(), late])) ? 'ok' : 'failed';
  } catch {
    // The check's owner logs its own faults. Only the result counts here.
    return 'failed';
  } finally {
    clearTimeout(timer);
  }
}
