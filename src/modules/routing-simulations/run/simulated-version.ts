import { LRUCache } from 'lru-cache';
import type { App } from '../../../app.ts';
import { oncePer } from '../../../platform/database/once-per.ts';
import type { Config } from '../../../platform/process/config.ts';
import { makeFigures } from '../../routing-figures/index.ts';
import { compileFigures, rememberedVersion, type CompiledVersion } from '../../routing/index.ts';
import type { Claimed } from './claim.sql.ts';

/** The most simulations whose figures a process remembers. They take turns, and a forgotten one is counted again. */
const REMEMBERED_MAX = 10;

/**
 * Returns the version of a simulation, with the figures of the moment at which the simulation was asked for. Each process counts the
 * same past, so a simulation goes on elsewhere with the same figures.
 */
export async function simulatedVersion(
  app: App,
  { merchantAccountId, id, versionId, createdAt }: Claimed,
): Promise<CompiledVersion> {
  const version = await rememberedVersion(app, merchantAccountId, versionId);
  if (!version.needsFigures) return version;
  const known = versionsOf(app.config);
  const key = `${merchantAccountId} ${id}`;
  const found = known.get(key);
  if (found) return found;
  const { rules } = version.version;
  const figures = compileFigures(await makeFigures(app, merchantAccountId, { rules, at: createdAt }));
  const simulated = { ...version, figures };
  known.set(key, simulated);
  return simulated;
}

const versionsOf: (config: Config) => LRUCache<string, CompiledVersion> = oncePer(
  () => new LRUCache({ max: REMEMBERED_MAX }),
);
