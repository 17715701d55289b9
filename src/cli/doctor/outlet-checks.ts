import { configuredBrokers } from '../../platform/brokers/configured.ts';
import { reasonOf } from '../../platform/brokers/reason.ts';
import type { Config } from '../../platform/process/config.ts';
import type { Report } from './checks.ts';

/** Checks that each configured outlet's broker answers, and has the stream or topic. Publishes nothing. */
export async function checkOutlets(config: Config, tell: Report): Promise<void> {
  for (const broker of configuredBrokers(config)) {
    const report = await broker.check().then(
      () => ({ state: 'ok' as const, sentence: `${broker.name} answers.` }),
      (error: unknown) => ({
        state: 'failed' as const,
        sentence: `${broker.name} cannot be used: ${reasonOf(error)}`,
      }),
    );
    tell({ check: 'outlet', ...report });
    await broker.close();
  }
}
