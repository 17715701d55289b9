import { setTimeout as delay } from 'node:timers/promises';
import { mintFromFile, sandboxKeyFile } from '../../src/cli/run/token.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { ask } from '../support/server.ts';
import { startProcess, type ServerProcess } from '../support/process.ts';
import { ACCOUNTS, makeTransactions } from '../transactions/many-rows.ts';
import type { BenchOptions, RunBench } from './benches.ts';
import { describeServer, inBulk, inDatabase, type BenchSettings } from './database.ts';
import { peakMb } from './memory.ts';
import { table } from './results.ts';

/** The numbers of transactions without `--rows`. */
const ROWS_DEFAULT = [100_000, 1_000_000];

/** The most memory that a process may hold. */
const WANTED_MB = 600;

/** The part of the rows that the exporting merchant account has. */
const SHARE = 0.6;

const FORMATS = ['CSV', 'NDJSON'] as const;
type Format = (typeof FORMATS)[number];

/** Measures the export of all transactions of an account that has 60 % of the rows. */
export const runExports: RunBench = async (options) => {
  const rows = options.rows ?? (options.quick ? [10_000] : ROWS_DEFAULT);
  const lines: (readonly string[])[] = [];
  for (const count of rows) lines.push(...(await inDatabase('disk', measureRows(count, options))));
  return [
    'One process has all roles, writes a file of all transactions of one merchant account, and serves its download. The memory ' +
      `is the most that the process has held since its start. Wanted: at most ${WANTED_MB} MB at any number of rows.`,
    table([
      [
        'rows',
        'format',
        'rows written a second',
        'MB of the file',
        'MB of memory at rest',
        'MB of memory at most',
      ],
      ...lines,
    ]),
  ].join('\n\n');
};

const measureRows =
  (count: number, options: BenchOptions) =>
  async (settings: BenchSettings): Promise<readonly (readonly string[])[]> => {
    options.progress(`${count.toLocaleString('en')} transactions are made`);
    // An export has no rows of the future.
    await inBulk(settings.DATABASE_URL, () =>
      makeTransactions(settings.DATABASE_URL, count, { pause: 'second' }),
    );
    options.progress(await describeServer(settings.DATABASE_URL));
    const lines: (readonly string[])[] = [];
    // Each format has a process of its own, because the memory counts from the start.
    for (const format of FORMATS) {
      const service = await startProcess(settings);
      try {
        lines.push(await measure(service, format, { ...options, expected: count * SHARE }));
      } finally {
        await service.stop();
      }
    }
    return lines;
  };

type Shown = {
  readonly status: string;
  readonly rowsWritten: number;
  readonly bytes: number;
  readonly downloadUrl: string | null;
};

async function measure(
  service: ServerProcess,
  format: Format,
  { progress, expected }: BenchOptions & { readonly expected: number },
): Promise<readonly string[]> {
  const rest = await peakMb(service.pid);
  const key = sandboxKeyFile(service.dataFolder);
  const token = await mintFromFile(key, { merchantAccount: ACCOUNTS[0] }, systemClock);
  const graphql = ask(service.url, token);
  const startedAt = performance.now();
  const created = await graphql<{ createExport: { exportId: string } }>(
    'mutation ($input: CreateExportInput!) { createExport(input: $input) { exportId } }',
    { input: { type: 'TRANSACTIONS', format } },
  );
  const id = created.body.data?.createExport.exportId;
  const find = async (): Promise<Shown> => {
    const { body } = await graphql<{ export: Shown }>(
      'query ($id: ID!) { export(id: $id) { status rowsWritten bytes downloadUrl } }',
      { id },
    );
    if (!body.data) throw new Error(JSON.stringify(body.errors));
    return body.data.export;
  };
  let shown = await find();
  for (; shown.status === 'PENDING' || shown.status === 'RUNNING'; shown = await find()) await delay(250);
  if (shown.status !== 'SUCCEEDED') throw new Error(`The export is ${shown.status}.`);
  if (shown.rowsWritten !== expected)
    throw new Error(`The file has ${shown.rowsWritten} rows instead of ${expected}.`);
  const seconds = (performance.now() - startedAt) / 1000;
  progress(`${format}: ${shown.rowsWritten} rows in ${seconds.toFixed(0)} s`);
  const received = await download(shown.downloadUrl ?? '');
  if (received !== shown.bytes)
    throw new Error(`The download has ${received} bytes instead of ${shown.bytes}.`);
  const peak = await peakMb(service.pid);
  return [
    shown.rowsWritten.toLocaleString('en'),
    format,
    (shown.rowsWritten / seconds).toFixed(0),
    (shown.bytes / 1e6).toFixed(0),
    rest?.toFixed(0) ?? '-',
    peak?.toFixed(0) ?? '-',
  ];
}

/** Reads a file without keeping it. Returns the number of its bytes. */
async function download(url: string): Promise<number> {
  const { body } = await fetch(url);
  let bytes = 0;
  for await (const part of (body ?? []) as AsyncIterable<Uint8Array>) bytes += part.byteLength;
  return bytes;
}
