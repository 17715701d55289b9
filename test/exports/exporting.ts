import { parse } from 'csv-parse/sync';
import { writeNextChunk } from '../../src/modules/exports/index.ts';
import type { Mint } from '../support/mint.ts';
import type { TestServer } from '../support/server.ts';

/** An export as the API shows it. */
export type Shown = {
  readonly id: string;
  readonly type: string;
  readonly format: string;
  readonly byteOrderMark: boolean;
  readonly status: string;
  readonly rowsWritten: number;
  readonly bytes: number;
  readonly failureReason: string | null;
  readonly downloadUrl: string | null;
  readonly createdAt: string;
  readonly startedAt: string | null;
  readonly endedAt: string | null;
  readonly expiresAt: string | null;
};

type Refused = { readonly code: string; readonly message: string; readonly path: readonly string[] };

export type Created = {
  readonly export: Shown | null;
  readonly exportId: string | null;
  readonly userErrors: readonly Refused[];
  readonly replayed: boolean;
};

const SHOWN = `id type format byteOrderMark status rowsWritten bytes failureReason downloadUrl createdAt startedAt endedAt expiresAt`;

const CREATE = `mutation ($input: CreateExportInput!, $key: String) {
  createExport(input: $input, idempotencyKey: $key) {
    export { ${SHOWN} } exportId userErrors { code message path } replayed } }`;

/** Requests about exports, with the rights of a token. */
export type Exporting = {
  readonly create: (input: object, key?: string) => Promise<Created>;
  readonly find: (id: string) => Promise<Shown | null>;
  readonly list: (first?: number) => Promise<readonly Shown[]>;
  /** Creates an export, writes all pages and returns the ended export. */
  readonly made: (input: object) => Promise<Shown>;
};

/** Sends requests with tokens of these rights. By default they have every right of the server's account. */
export function exportingAs(server: TestServer, rights: Parameters<Mint>[0] = {}): Exporting {
  const ask = async <Data>(document: string, variables: Readonly<Record<string, unknown>> = {}) => {
    const { body } = await server.graphql<Data>(document, variables, { token: await server.mint(rights) });
    if (!body.data || body.errors) throw new Error(JSON.stringify(body.errors));
    return body.data;
  };
  const exporting: Exporting = {
    create: async (input, key) => (await ask<{ createExport: Created }>(CREATE, { input, key })).createExport,
    find: async (id) =>
      (await ask<{ export: Shown | null }>(`query ($id: ID!) { export(id: $id) { ${SHOWN} } }`, { id }))
        .export,
    list: async (first = 100) =>
      (
        await ask<{ exports: { nodes: readonly Shown[] } }>(
          `query ($first: Int) { exports(first: $first) { nodes { ${SHOWN} } } }`,
          { first },
        )
      ).exports.nodes,
    made: async (input) => {
      const created = await exporting.create(input);
      await writeAll(server);
      const found = await exporting.find(created.exportId ?? '');
      if (!found) throw new Error(JSON.stringify(created));
      return found;
    },
  };
  return exporting;
}

/** Writes pages until no export is due. */
export async function writeAll({ app }: TestServer): Promise<void> {
  while (await writeNextChunk(app));
}

/** Downloads the file of an export. */
export async function textOf({ downloadUrl }: Shown): Promise<string> {
  const response = await fetch(downloadUrl ?? '');
  if (response.status !== 200) throw new Error(`The download answers ${response.status}.`);
  return response.text();
}

export type Line = Readonly<Record<string, unknown>>;

/** Reads the objects of an NDJSON file. */
export const linesOf = (text: string): readonly Line[] =>
  text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Line]));

/** Reads the rows of a CSV file by their column names. */
export const rowsOf = (text: string): readonly Readonly<Record<string, string>>[] =>
  parse(text, { columns: true, recordDelimiter: '\r\n' });
