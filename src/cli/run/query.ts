import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { parseJson } from '../../kernel/json.ts';
import { OperatorError } from '../../platform/operator-error.ts';
import { UsageError } from '../exit-code.ts';
import { printJson } from '../json.ts';
import { findService, type AccessOptions } from '../service/access.ts';
import { askService } from '../service/ask.ts';

export type QueryOptions = AccessOptions & {
  /** JSON, or `@` and the name of a file with JSON. */
  readonly variables?: string | undefined;
  readonly operation?: string | undefined;
  readonly json?: boolean | undefined;
};

/** Runs a GraphQL document from a file, or from standard input. Prints the data, or with `--json` the whole response. */
export async function runQuery(file: string | undefined, options: QueryOptions): Promise<void> {
  const query = await readDocument(file);
  const variables = await readVariables(options.variables);
  const access = findService('query', options);
  const reply = await askService(access, { query, variables, operationName: options.operation });
  if (options.json) printJson(reply);
  else if (reply.data) process.stdout.write(`${JSON.stringify(reply.data, null, 2)}\n`);
  if (reply.errors?.length)
    throw new OperatorError(
      reply.errors.map(({ message, extensions }) => `${extensions?.code ?? 'ERROR'}: ${message}`).join('\n'),
    );
}

async function readDocument(file: string | undefined): Promise<string> {
  if (file === undefined && process.stdin.isTTY)
    throw new UsageError('Name a file with GraphQL, or send GraphQL to standard input.');
  const document = file === undefined || file === '-' ? await text(process.stdin) : await readText(file);
  if (document.trim() === '') throw new UsageError('The document is empty. Write a query or a mutation.');
  return document;
}

async function readVariables(
  given: string | undefined,
): Promise<Readonly<Record<string, unknown>> | undefined> {
  if (given === undefined) return undefined;
  const value = parseJson(given.startsWith('@') ? await readText(given.slice(1)) : given);
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as Readonly<Record<string, unknown>>;
  throw new UsageError(`--variables: must be an object of JSON, such as '{"id": "…"}', or @file.json.`);
}

const readText = (path: string): Promise<string> =>
  readFile(path, 'utf8').catch(() => {
    throw new UsageError(`${path} cannot be read. Check its name.`);
  });
