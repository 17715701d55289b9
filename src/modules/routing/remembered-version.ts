import { LRUCache } from 'lru-cache';
import type { App } from '../../app.ts';
import { oncePer } from '../../platform/database/once-per.ts';
import type { Config } from '../../platform/process/config.ts';
import { compileVersion, type CompiledVersion } from './model/compile.ts';
import { compileFigures, type CompiledFigures } from './figures/figures.ts';
import { findFigures, findVersionsByIds } from './store.ts';

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

/**
 * Returns a version in compiled form, with the figures that its rules compare. Reads a snapshot of figures once in each process. A
 * snapshot that is not there any more leaves the rules without figures.
 */
export async function decidingVersion(
  app: App,
  merchantAccountId: string,
  { versionId, figuresId }: { readonly versionId: string; readonly figuresId: string | null },
): Promise<CompiledVersion> {
  const compiled = await rememberedVersion(app, merchantAccountId, versionId);
  if (figuresId === null || !compiled.needsFigures) return compiled;
  return { ...compiled, figures: await rememberedFigures(app, merchantAccountId, figuresId) };
}

/** Remembers the reading itself, so that payments at the same time read once. A failed reading is not remembered. */
async function rememberedFigures(
  app: App,
  merchantAccountId: string,
  id: string,
): Promise<CompiledFigures | null> {
  const known = figuresOf(app.config);
  const key = `${merchantAccountId} ${id}`;
  const found = known.get(key);
  if (found) return found;
  const reading = findFigures(app.db, merchantAccountId, id).then(
    (figures) => figures && compileFigures(figures),
  );
  known.set(key, reading);
  try {
    return await reading;
  } catch (error) {
    known.delete(key);
    throw error;
  }
}

/** The most snapshots that a process remembers. Each takes a megabyte or two at most. */
const FIGURES_MAX = 50;

const figuresOf: (config: Config) => LRUCache<string, Promise<CompiledFigures | null>> = oncePer(
  () => new LRUCache({ max: FIGURES_MAX }),
);

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
