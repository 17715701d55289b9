import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import type { Report } from './report.ts';
import { tallyFromJson, tallyToJson, type TallyJson } from './tally.ts';

/** Where the slices of a run are kept. */
const FOLDER = '.paygraph/simulation';

/** A run of which nothing was played. */
export const noSlices = (seed: number): Report => ({
  seed,
  histories: 0,
  violations: 0,
  durationMs: 0,
  slices: 0,
  digest: 0n,
  tally: new Map(),
});

/** What the earlier slices of a seed came to. */
export async function readSlices(seed: number): Promise<Report> {
  const text = await readFile(pathOf(seed), 'utf8').catch(() => null);
  if (text === null) return noSlices(seed);
  const kept = JSON.parse(text) as Kept;
  return { ...kept, digest: BigInt(kept.digest), tally: tallyFromJson(kept.tally) };
}

/** Keeps it for the next slice, whole or not at all. */
export async function writeSlices(report: Report): Promise<void> {
  await mkdir(FOLDER, { recursive: true });
  const path = pathOf(report.seed);
  const kept: Kept = { ...report, digest: String(report.digest), tally: tallyToJson(report.tally) };
  await writeFile(`${path}.new`, JSON.stringify(kept));
  await rename(`${path}.new`, path);
}

type Kept = Omit<Report, 'tally' | 'digest'> & { readonly digest: string; readonly tally: TallyJson };

const pathOf = (seed: number): string => `${FOLDER}/seed-${seed}.json`;
