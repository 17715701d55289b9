import { forOutput } from './colours.ts';
import { howToRun } from '../platform/process/how-to-run.ts';

export type Welcome = {
  readonly version: string;
  /** The address of the service. */
  readonly url: string;
  /** A token for first tries. Null in production, which has none. */
  readonly token: string | null;
  /** Sentences that the operator must know, such as a missing key. */
  readonly notes: readonly string[];
  /** True if this process serves the dashboard. */
  readonly hasDashboard: boolean;
  /** The folder of the embedded database. Null with another database. */
  readonly dataFolder: string | null;
};

/** Returns the text for a person after the start: the addresses, and in a sandbox the next commands. */
export function welcome({ version, url, token, notes, hasDashboard, dataFolder }: Welcome): string {
  const title = forOutput.bold(`Paygraph ${version}`);
  const warnings = warningsOf(notes);
  const rows: readonly Row[] = [
    ['GraphQL', `${url}/graphql`],
    ['Websocket', `${url.replace(/^http/, 'ws')}/graphql`],
    ...(token === null ? [] : pages(url, { notes, hasDashboard })),
    ...(dataFolder === null
      ? []
      : [['Data', dataFolder, 'holds the database (delete it to start again)'] as const]),
  ];
  const head = `\n${title}${token === null ? '' : ' sandbox'} is ready.\n\n${table(rows)}\n${warnings}`;
  return token === null ? head : `${head}${nextSteps(url, token)}`;
}

/** Returns the text after the start of a process that only runs background work. */
export function workerWelcome({
  version,
  url,
  notes,
  hasMetrics,
}: Pick<Welcome, 'version' | 'url' | 'notes'> & { readonly hasMetrics: boolean }): string {
  const rows: readonly Row[] = [
    ['Probes', `${url}/health`],
    ['', `${url}/ready`],
    ...(hasMetrics ? [['Metrics', `${url}/metrics`] as const] : []),
  ];
  const head = `\n${forOutput.bold(`Paygraph ${version}`)} runs background work.\n\n${table(rows)}\n`;
  return `${head}${warningsOf(notes)}`;
}

const warningsOf = (notes: readonly string[]): string =>
  notes.map((note) => `\n${forOutput.yellow(note)}\n`).join('');

/** The pages of a sandbox. One that others may reach fills in no token and signs nobody in, and has a note about it. */
function pages(
  url: string,
  { notes, hasDashboard }: Pick<Welcome, 'notes' | 'hasDashboard'>,
): readonly Row[] {
  const isOpen = notes.length === 0;
  const dashboard: Row = [
    'Dashboard',
    `${url}/dashboard`,
    isOpen ? 'in a browser, signed in' : 'in a browser',
  ];
  return [
    ...(hasDashboard ? [dashboard] : []),
    ['GraphiQL', `${url}/`, isOpen ? 'in a browser, with the token filled in' : 'in a browser'],
  ];
}

type Row = readonly [name: string, value: string, note?: string];

function table(rows: readonly Row[]): string {
  const width = Math.max(...rows.map(([, value]) => value.length));
  const lines = rows.map(
    ([name, value, note]) =>
      `  ${name.padEnd(11)}${note === undefined ? forOutput.cyan(value) : `${forOutput.cyan(value)}${' '.repeat(width - value.length)}   ${forOutput.dim(note)}`}`,
  );
  return lines.join('\n');
}

const nextSteps = (url: string, token: string): string => `
Set a token, valid for 24 hours, and list the payment services:

  export TOKEN=${token}

  curl -s ${url}/graphql \\
    -H "authorization: Bearer $TOKEN" -H 'content-type: application/json' \\
    -d '{"query":"{ paymentServices { nodes { id displayName acceptedCurrencies } } }"}'

Or follow a payment from end to end, in another terminal:

  ${howToRun('demo')}

Ctrl-C stops the service.
`;
