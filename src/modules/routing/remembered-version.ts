import { LRUCache } from 'lru-cache';
import type { App } from '../../app.ts';
import { oncePer } from '../../platform/database/once-per.ts';
import type { Config } from '../../platform/process/config.ts';
import { compileVersion, type CompiledVersion } from './model/compile.ts';
import { findVersionsByIds } from './store.ts';

/**
 * Returns a version in compiled form. Reads the version once in each process, because a version never changes. Throws for an
 * unknown version: a payment and an activation name no other.
 */
export async function rememberedVersion(
  app: App,
  merchantAccountId: string,
  versionId: string,
): Promise<CompiledVersion> {
  const known = versionsOf(app.config);
  const key = `${merchantAccountId} ${versionId}`;
  const found = known.get(key);
  if (found) return found;
  const [version] = await findVersionsByIds(app.db, merchantAccountId, [versionId]);
  if (!version) throw new Error(`The version ${versionId} of the routing rules is not there.`);
  const compiled = compileVersion(version);
  known.set(key, compiled);
  return compiled;
}

/** The most characters of rules that a process remembers. Each takes some three bytes. */
const CHARACTERS_MAX = 20_000_000;

/** The versions of each running service. The apps of its queries and payments share them. */
const versionsOf: (config: Config) => LRUCache<string, CompiledVersion> = oncePer(
  () =>
    new LRUCache({
      maxSize: CHARACTERS_MAX,
      sizeCalculation: ({ version }) => JSON.stringify(version.rules).length,
    }),
);
