import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { readModel } from './federation/subgraph-model.ts';
import { compose } from './federation/composition.ts';
import { readSdl, schemaUrl, SUBGRAPHS } from './federation/sdl.ts';

const ownModels = () => SUBGRAPHS.map((name) => readModel({ name, resolvers: {} }, readSdl(name)));

/** Composes the committed schema files and returns their text by name. A review sees each change of the API in them. */
export function composedFiles(): ReadonlyMap<string, string> {
  const { apiSdl, supergraphSdl } = compose(ownModels());
  return new Map([
    ['api', `${HEAD}${apiSdl}\n`],
    ['supergraph', `${HEAD}${supergraphSdl}\n`],
  ]);
}

const HEAD = '# Composed by `npm run compose`; never edited.\n';

const USAGE = `npm run compose
  Writes schema/api.graphql and schema/supergraph.graphql anew.
npm run --silent compose -- --base https://pay.example.com [--url events=https://other.example.com/graphql] [--without-scopes]
  Prints a supergraph for a router. It has the address <base>/subgraphs/<name> of each subgraph, or the address of --url.
`;

/**
 * Returns the supergraph for a router. `base` is the address of the service. `urls` has entries such as
 * `events=https://events.example.com`. Such an entry gives one subgraph another address. Throws on an unknown subgraph and on
 * an invalid address.
 */
export function supergraphFor({ base, urls, publishesScopes }: RouterOptions): string {
  const own = new Map(urls.map(readUrl));
  const urlOf = (name: string): string | undefined =>
    own.get(name) ?? (base === undefined ? undefined : new URL(`/subgraphs/${name}`, base).href);
  const missing = SUBGRAPHS.filter((name) => urlOf(name) === undefined);
  if (missing.length > 0)
    throw new Error(`No address for ${missing.join(', ')}. Give --base, or --url for each.`);
  return compose(ownModels(), { urlOf, publishesScopes }).supergraphSdl;
}

export type RouterOptions = {
  readonly base: string | undefined;
  readonly urls: readonly string[];
  readonly publishesScopes: boolean;
};

function readUrl(given: string): readonly [string, string] {
  const [name = '', ...rest] = given.split('=');
  const url = rest.join('=');
  if (!SUBGRAPHS.includes(name))
    throw new Error(`No subgraph has the name "${name}". The names are ${SUBGRAPHS.join(', ')}.`);
  if (!URL.canParse(url))
    throw new Error(`The address of "${name}" is no URL. Write --url ${name}=https://….`);
  return [name, url];
}

/** Does what the arguments ask for. Returns the text to print. */
function run(args: readonly string[]): string {
  const { values } = parseArgs({
    args: [...args],
    options: {
      base: { type: 'string' },
      url: { type: 'string', multiple: true, default: [] },
      'without-scopes': { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return USAGE;
  if (args.length > 0)
    return `${supergraphFor({ base: values.base, urls: values.url, publishesScopes: !values['without-scopes'] })}\n`;
  for (const [name, text] of composedFiles()) writeFileSync(schemaUrl(name), text);
  return '';
}

if (import.meta.main) {
  try {
    process.stdout.write(run(process.argv.slice(2)));
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`);
    process.exitCode = 1;
  }
}
