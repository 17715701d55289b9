import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { OperatorError } from '../../platform/operator-error.ts';

/** The name of a cell. It is part of the names in the configuration of a proxy. */
export const CELL = /^[a-z][a-z0-9_]{0,30}$/;

/** Host and port, as a proxy reaches the processes of a cell. */
const SERVER = /^(?:[A-Za-z0-9.-]+|\[[0-9a-f:]+\]):\d{1,5}$/;

const ACCOUNT = /^[A-Za-z0-9-]{1,50}$/;

const directorySchema = z.strictObject({
  cells: z
    .record(
      z.string().regex(CELL, 'must have a name of lower-case letters, digits and underscores'),
      z.strictObject({
        publicUrl: z.url({ protocol: /^https?$/, message: 'must be the PAYGRAPH_PUBLIC_URL of the cell' }),
        servers: z
          .array(z.string().regex(SERVER, 'must be a host with a port, such as 10.0.0.1:4000'))
          .min(1, 'must name at least one server'),
      }),
    )
    .refine((cells) => Object.keys(cells).length > 0, 'must have at least one cell'),
  /** The cell of requests that name no account, and of accounts that the directory does not name. */
  default: z.string(),
  accounts: z.record(z.string().regex(ACCOUNT, 'must be the id of a merchant account'), z.string()),
});

/** The directory: the cells, and the cell of each merchant account. */
export type Directory = Readonly<z.infer<typeof directorySchema>>;

/** Reads and checks a directory. Throws an OperatorError with a sentence for each fault. */
export async function readDirectory(path: string): Promise<Directory> {
  const text = await readFile(path, 'utf8').catch(() => null);
  if (text === null) throw new OperatorError(`The directory ${path} cannot be read.`);
  const parsed = directorySchema.safeParse(parse(path, text));
  const faults = parsed.success
    ? faultsOf(parsed.data)
    : parsed.error.issues.map((issue) => sentenceOf(issue));
  if (faults.length > 0)
    throw new OperatorError([`The directory ${path} has faults:`, ...faults].join('\n  '));
  if (!parsed.success) throw new Error('A directory failed without a fault.');
  return parsed.data;
}

function parse(path: string, text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new OperatorError(`The directory ${path} is not valid JSON.`);
  }
}

/** The first fault of a key is in a nested issue. */
function sentenceOf({ path, message, ...issue }: z.core.$ZodIssue): string {
  const inner =
    'issues' in issue && Array.isArray(issue.issues) ? (issue.issues[0] as { message?: string }) : null;
  return `${path.join('.') || 'The directory'}: ${inner?.message ?? message}.`;
}

/** Returns the faults that the form does not exclude. */
function faultsOf({ cells, default: rest, accounts }: Directory): readonly string[] {
  const known = (cell: string): boolean => Object.hasOwn(cells, cell);
  const urls = Map.groupBy(Object.entries(cells), ([, { publicUrl }]) => new URL(publicUrl).host);
  return [
    ...(known(rest) ? [] : [`default: there is no cell "${rest}".`]),
    ...Object.entries(accounts).flatMap(([account, cell]) =>
      known(cell) ? [] : [`accounts.${account}: there is no cell "${cell}".`],
    ),
    ...[...urls].flatMap(([host, same]) =>
      same.length > 1
        ? [`cells: ${same.map(([name]) => name).join(' and ')} have the same host ${host}.`]
        : [],
    ),
  ];
}
