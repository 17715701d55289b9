import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, rename, type FileHandle } from 'node:fs/promises';
import { z } from 'zod';
import { OperatorError } from '../operator-error.ts';

/** The first line of the file of an account. */
const headerSchema = z.object({
  format: z.literal('paygraph account 1'),
  move: z.uuid(),
  account: z.string(),
  /** The names of the two cells, for people. */
  cell: z.string().nullable(),
  kind: z.string().nullable(),
  /** The digest over the names of the migrations, and the last name. */
  schema: z.object({ digest: z.string(), last: z.string() }),
  releaseDigest: z.string(),
  exportedAt: z.string(),
  tables: z.array(z.object({ name: z.string(), rows: z.string(), checksum: z.string() })),
});

export type Header = z.infer<typeof headerSchema>;

/** A line of the file between the first and the last: rows of a table as JSON, an array. */
export type Rows = { readonly table: string; readonly json: string };

/** Writes the file of an account. The file appears under its name once it is whole. */
export async function writeAccountFile(
  path: string,
  header: Header,
  lines: AsyncIterable<Rows>,
): Promise<void> {
  const draft = `${path}.part`;
  // Others on the machine must not read the buyers of the account.
  const file = await open(draft, 'w', 0o600);
  try {
    const hash = createHash('sha256');
    await writeLine(file, hash, JSON.stringify(header));
    for await (const { table, json } of lines) await writeLine(file, hash, `${table} ${json}`);
    await file.write(`end ${hash.digest('hex')}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(draft, path);
}

async function writeLine(file: FileHandle, hash: Hash, line: string): Promise<void> {
  hash.update(`${line}\n`);
  await file.write(`${line}\n`);
}

/** Reads the first line, after a check of the whole file. Throws an OperatorError for a file that is broken or foreign. */
export async function readHeader(path: string): Promise<Header> {
  const hash = createHash('sha256');
  let first: string | null = null;
  let end: string | null = null;
  for await (const line of linesOf(path)) {
    if (end !== null)
      throw new OperatorError(`The file ${path} goes on behind its end. Export the account again.`);
    first ??= line;
    if (line.startsWith('end ')) end = line.slice('end '.length);
    else hash.update(`${line}\n`);
  }
  if (end === null || end !== hash.digest('hex'))
    throw new OperatorError(
      `The file ${path} is not whole, or was changed. Copy it again, or export the account again.`,
    );
  const header = headerSchema.safeParse(parse(first ?? ''));
  if (!header.success)
    throw new OperatorError(`The file ${path} is no export of an account in a form that this version knows.`);
  return header.data;
}

/** Reads the rows of a file that was checked. */
export async function* readRows(path: string): AsyncGenerator<Rows> {
  let isFirst = true;
  for await (const line of linesOf(path)) {
    const space = line.indexOf(' ');
    if (!isFirst && !line.startsWith('end '))
      yield { table: line.slice(0, space), json: line.slice(space + 1) };
    isFirst = false;
  }
}

const READ_BYTES = 1_048_576;

/** Reads lines that end with a line feed alone. Values in JSON may hold the other ends of lines that Unicode knows. */
async function* linesOf(path: string): AsyncGenerator<string> {
  let rest = '';
  const chunks: AsyncIterable<string> = createReadStream(path, {
    encoding: 'utf8',
    highWaterMark: READ_BYTES,
  });
  for await (const chunk of chunks) {
    const lines = `${rest}${chunk}`.split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '') yield rest;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}
