import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, rename, rm, type FileHandle } from 'node:fs/promises';
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
  publicKey: z.string(),
  exportedAt: z.string(),
  tables: z.array(z.object({ name: z.string(), rows: z.string(), checksum: z.string() })),
});

export type Header = z.infer<typeof headerSchema>;

/** A line of the file between the first and the last: rows of a table as JSON, an array. */
export type Rows = { readonly table: string; readonly json: string };

/** Writes the file of an account, for its owner alone. The file appears under its name once it is whole. */
export async function writeAccountFile(
  path: string,
  header: Header,
  lines: AsyncIterable<Rows>,
): Promise<void> {
  const draft = `${path}.part`;
  // An older draft keeps the mode of its creation, and a link would lead elsewhere. So the draft is always a new file.
  await rm(draft, { force: true });
  const file = await open(draft, 'wx', 0o600);
  try {
    await writeLines(file, header, lines);
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

/** Writes the lines, and closes the file. */
async function writeLines(file: FileHandle, header: Header, lines: AsyncIterable<Rows>): Promise<void> {
  try {
    const hash = createHash('sha256');
    await writeLine(file, hash, JSON.stringify(header));
    for await (const { table, json } of lines) await writeLine(file, hash, `${table} ${json}`);
    await file.write(`end ${hash.digest('hex')}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
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
    first ??= line.toString();
    if (isEnd(line)) end = line.toString('utf8', END.length);
    else hash.update(line).update('\n');
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
    if (!isFirst && !isEnd(line))
      yield { table: line.toString('utf8', 0, space), json: line.toString('utf8', space + 1) };
    isFirst = false;
  }
}

const END = 'end ';
const isEnd = (line: Buffer): boolean => line.toString('utf8', 0, END.length) === END;

const NEWLINE = 0x0a;

/** Splits a file at each newline. A text may have other characters that end lines elsewhere, such as U+2028. */
async function* linesOf(path: string): AsyncGenerator<Buffer> {
  let begun: Buffer[] = [];
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    let from = 0;
    for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, from)) {
      yield Buffer.concat([...begun, chunk.subarray(from, at)]);
      begun = [];
      from = at + 1;
    }
    if (from < chunk.length) begun.push(chunk.subarray(from));
  }
  if (begun.length > 0) yield Buffer.concat(begun);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}
