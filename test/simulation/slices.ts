import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import type { Kind } from './real/plan.ts';
import type { Report } from './report.ts';
import type { Run } from './run.ts';
import { addTally, tallyFromJson, tallyToJson, type Tally, type TallyJson } from './tally.ts';

/** The folder for the slices of a run. */
const FOLDER = '.paygraph/simulation';

/** Returns the report of a run without histories. */
export const noSlices = (seed: number, kind: Kind = 'any'): Report => ({
  ...{ seed, kind },
  histories: 0,
  violations: 0,
  durationMs: 0,
  slices: 0,
  digest: 0n,
  tally: new Map(),
});

/** Adds a slice to a report. The slice starts at the end of the report. */
export function withSlice(before: Report, slice: Run): Report {
  const tally: Tally = new Map();
  for (const one of [before, slice]) addTally(tally, one.tally);
  return {
    ...{ seed: before.seed, kind: before.kind },
    histories: slice.next,
    violations: before.violations + slice.failures.length,
    durationMs: before.durationMs + slice.durationMs,
    slices: before.slices + (slice.next > before.histories ? 1 : 0),
    digest: BigInt.asUintN(64, before.digest + slice.digest),
    tally,
  };
}

/** Reads the report of the earlier slices of a seed with these providers. */
export async function readSlices(seed: number, kind: Kind): Promise<Report> {
  const text = await readFile(pathOf({ seed, kind }), 'utf8').catch(() => null);
  if (text === null) return noSlices(seed, kind);
  const kept = JSON.parse(text) as StoredRows;
  return { ...kept, digest: BigInt(kept.digest), tally: tallyFromJson(kept.tally) };
}

/** Stores the report for the next slice, as a whole or not at all. */
export async function writeSlices(report: Report): Promise<void> {
  await mkdir(FOLDER, { recursive: true });
  const path = pathOf(report);
  const kept: StoredRows = { ...report, digest: String(report.digest), tally: tallyToJson(report.tally) };
  await writeFile(`${path}.new`, JSON.stringify(kept));
  await rename(`${path}.new`, path);
}

type StoredRows = Omit<Report, 'tally' | 'digest'> & { readonly digest: string; readonly tally: TallyJson };

const pathOf = ({ seed, kind }: Pick<Report, 'seed' | 'kind'>): string =>
  `${FOLDER}/seed-${seed}-${kind}.json`;
