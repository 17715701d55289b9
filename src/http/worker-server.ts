import type { App } from '../app.ts';
import { refuseRequest } from './answers/error-body.ts';
import { createServer, listenOn } from './create-server.ts';
import { prepareDrain } from './drain.ts';
import { keepAccessLog } from './operate/access-log.ts';
import { serveMetrics } from './operate/metrics.ts';
import { serveReadiness, type Check } from './operate/readiness.ts';
import type { HttpServer } from './server.ts';

const NOTHING_HERE =
  'This process does background work. It serves /health, /ready and, with PAYGRAPH_METRICS=true, /metrics. ' +
  'Send the request to a process with the role api.';

/**
 * Serves the probes and the metrics of a process without the role `api`, on the configured address. Any other request gets a
 * 404 before its body is read. Rejects when the address cannot be listened on.
 */
export async function startWorkerHttp(
  app: App,
  checks: Readonly<Record<string, Check>>,
): Promise<Pick<HttpServer, 'url' | 'setReady' | 'close'>> {
  const server = createServer(app, { nothingHere: NOTHING_HERE });
  const drain = prepareDrain(server);
  server.addHook('onRequest', (request, reply, done) => {
    if (!request.is404) return done();
    void refuseRequest(request, reply, { status: 404, code: 'NOT_FOUND', message: NOTHING_HERE });
  });
  keepAccessLog(server, app);
  if (app.config.PAYGRAPH_METRICS) serveMetrics(server, app);
  const readiness = serveReadiness(server, checks);
  const { url } = await listenOn(server, app.config);
  return {
    url,
    setReady: (ready) => readiness.set(ready),
    close: async () => {
      readiness.set(false);
      await drain();
    },
  };
}
