import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { isTypeDefinitionNode, Kind, parse, type DocumentNode } from 'graphql';
import { readModel, ROOT_TYPES } from './federation/subgraph-model.ts';
import { compose, type ForeignSubgraph } from './federation/composition.ts';
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
npm run --silent compose -- --base https://pay.example.com [--url events=https://other.example.com/graphql] [--add shop=shop.graphql] [--without-scopes]
  Prints a supergraph for a router. It has the address <base>/subgraphs/<name> of each subgraph, or the address of --url.
  --add joins a subgraph of another service by its SDL. Such a subgraph needs --url.
  --rename Event=PaygraphEvent or Query.events=paygraphEvents gives a type or a root field another name at the router.
`;

/**
 * Returns the supergraph for a router. `base` is the address of the service. `urls` has entries such as
 * `events=https://events.example.com`. Such an entry gives one subgraph another address. `others` joins subgraphs of
 * other services. Throws on an unknown subgraph, a missing or invalid address, and subgraphs that do not compose.
 */
export function supergraphFor({
  base,
  urls,
  publishesScopes,
  others = [],
  renames = [],
}: RouterOptions): string {
  const subgraphs = [...SUBGRAPHS, ...others.map(({ name }) => name)];
  const own = new Map(urls.map((url) => readUrl(url, subgraphs)));
  const urlOf = (name: string): string | undefined => {
    const isOurs = SUBGRAPHS.includes(name) && base !== undefined;
    return own.get(name) ?? (isOurs ? new URL(`/subgraphs/${name}`, base).href : undefined);
  };
  const missing = subgraphs.filter((name) => urlOf(name) === undefined);
  if (missing.length > 0)
    throw new Error(`No address for ${missing.join(', ')}. Give --base, or --url for each.`);
  const names = new Map(renames.map(readRename));
  return compose(ownModels(), { urlOf, publishesScopes, others, names }).supergraphSdl;
}

export type RouterOptions = {
  readonly base: string | undefined;
  readonly urls: readonly string[];
  readonly publishesScopes: boolean;
  readonly others?: readonly ForeignSubgraph[];
  /** Entries such as `Event=PaygraphEvent` and `Query.events=paygraphEvents`. */
  readonly renames?: readonly string[];
};

function readUrl(given: string, names: readonly string[]): readonly [string, string] {
  const [name, url] = readPair(given);
  if (!names.includes(name))
    throw new Error(`No subgraph has the name "${name}". The names are ${names.join(', ')}.`);
  if (!URL.canParse(url))
    throw new Error(`The address of "${name}" is no URL. Write --url ${name}=https://….`);
  return [name, url];
}

/** Reads the SDL of another service's subgraph, such as `shop=shop.graphql`. */
function readOther(given: string): ForeignSubgraph {
  const [name, file] = readPair(given);
  if (name === '' || file === '')
    throw new Error(`--add ${given} is no name with a file. Write --add shop=shop.graphql.`);
  return { name, typeDefs: parse(readFileSync(file, 'utf8')) };
}

function readRename(given: string): readonly [string, string] {
  const [name, other] = readPair(given);
  const known = ownModels().some(({ document }) => hasName(document, name));
  if (!known) throw new Error(`No type or root field has the name "${name}".`);
  if (!/^[A-Za-z]\w*$/.test(other))
    throw new Error(`--rename ${given} gives no name. Write --rename ${name}=Other.`);
  return [name, other];
}

/** Tells whether a document defines a type, such as `Event`, or a root field, such as `Query.events`. */
const hasName = ({ definitions }: DocumentNode, name: string): boolean =>
  definitions.some((node) => {
    if (!isTypeDefinitionNode(node)) return false;
    const type = node.name.value;
    const fields =
      node.kind === Kind.OBJECT_TYPE_DEFINITION && ROOT_TYPES.includes(type) ? (node.fields ?? []) : [];
    return (
      (type === name && !ROOT_TYPES.includes(type)) ||
      fields.some((field) => `${type}.${field.name.value}` === name)
    );
  });

function readPair(given: string): readonly [string, string] {
  const [name = '', ...rest] = given.split('=');
  return [name, rest.join('=')];
}

/** Does what the arguments ask for. Returns the text to print. */
function run(args: readonly string[]): string {
  const { values } = parseArgs({
    args: [...args],
    options: {
      base: { type: 'string' },
      url: { type: 'string', multiple: true, default: [] },
      add: { type: 'string', multiple: true, default: [] },
      rename: { type: 'string', multiple: true, default: [] },
      'without-scopes': { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return USAGE;
  const { base, url: urls, add, rename: renames, 'without-scopes': leavesScopes } = values;
  if (args.length > 0)
    return `${supergraphFor({ base, urls, publishesScopes: !leavesScopes, others: add.map(readOther), renames })}\n`;
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
