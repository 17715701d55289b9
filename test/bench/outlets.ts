import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApp } from '../../src/main.ts';
import { outletBacklogs, relayOnce, startOutlets } from '../../src/modules/events/index.ts';
import { parseConfig } from '../../src/platform/process/config.ts';
import { startNats } from '../deploy/nats-server.ts';
import { until } from '../support/until.ts';
import type { BenchOptions } from './benches.ts';
import { inDatabase } from './database.ts';
import { BODY_BYTES, prepareLog, writeEvents } from './events-log.ts';

const ACCOUNTS = 50;

/** Measures the events a second from the feed into a NATS server, which `nats-server` on the PATH runs. */
export async function runOutlets({ quick, progress }: BenchOptions): Promise<string> {
  const each = quick ? 10 : 1_000;
  const nats = await startNats();
  const folder = await mkdtemp(join(tmpdir(), 'paygraph-bench-'));
  try {
    await nats.createStream({ name: 'paygraph', subjects: ['paygraph.>'] });
    return await inDatabase('disk', async (settings) => {
      const outlet = { PAYGRAPH_OUTLET_NATS_URL: nats.url, PAYGRAPH_DATA_DIR: folder };
      const wired = await createApp(parseConfig({ ...settings, ...outlet }));
      const { app } = wired;
      progress(`${ACCOUNTS} accounts get ${each} events each`);
      await writeEvents(settings.DATABASE_URL, await prepareLog(settings.DATABASE_URL, ACCOUNTS), each);
      while (await relayOnce(app)) continue;
      progress('the outlet publishes them');
      const startedAt = performance.now();
      const outlets = startOutlets(app);
      await until(async () => (await outletBacklogs(app))[0]?.events === 0, 'the outlet');
      const seconds = (performance.now() - startedAt) / 1_000;
      await outlets.stop();
      await wired.close();
      const perSecond = Math.round((ACCOUNTS * each) / seconds);
      return `${ACCOUNTS * each} events of ${BODY_BYTES} bytes, of ${ACCOUNTS} merchant accounts, into a file of a NATS server: ${perSecond} a second.`;
    });
  } finally {
    await nats.close();
    await rm(folder, { recursive: true, force: true });
  }
}
