import { forOutput } from './colours.ts';

export type Welcome = {
  readonly version: string;
  /** Where the service listens; null when it only works in the background. */
  readonly url: string | null;
  /** A token to try things with; null in production, where there is none. */
  readonly token: string | null;
  /** Where the embedded database is; null when the service uses another one. */
  readonly dataFolder: string | null;
};

/** What a person reads when the service is up: where it is, and in a sandbox what to paste next. */
export function welcome({ version, url, token, dataFolder }: Welcome): string {
  const title = forOutput.bold(`Paygraph ${version}`);
  if (url === null) return `${title} works in the background and listens nowhere.`;
  const rows: readonly Row[] = [
    ['GraphQL', `${url}/graphql`],
    ['Websocket', `${url.replace(/^http/, 'ws')}/graphql`],
    ...(token === null ? [] : [['GraphiQL', `${url}/`, 'in a browser; the token is filled in'] as const]),
    ...(dataFolder === null
      ? []
      : [['Data', dataFolder, 'holds the database; delete it to begin anew'] as const]),
  ];
  const head = `\n${title}${token === null ? '' : ' sandbox'} is ready.\n\n${table(rows)}\n`;
  return token === null ? head : `${head}${nextSteps(url, token)}`;
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
Paste a token, good for 24 hours, and list the payment services with it:

  export TOKEN=${token}

  curl -s ${url}/graphql \\
    -H "authorization: Bearer $TOKEN" -H 'content-type: application/json' \\
    -d '{"query":"{ paymentServices { nodes { id displayName acceptedCurrencies } } }"}'

Or follow a payment from end to end, in another terminal:

  npm run demo

Ctrl-C stops the service.
`;
