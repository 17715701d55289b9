import { EVENT_NAMES } from '../../src/modules/event-log/event-names.ts';
import type { JsonSchema } from '../../src/modules/event-log/json-schema.ts';
import { targetKindOf } from '../../src/modules/event-log/payload-schemas.ts';
import { PAYLOAD_VERSION } from '../../src/modules/event-log/payload-version.ts';
import { TARGET_SCHEMAS, type TargetKind } from '../../src/modules/event-log/target-schemas.ts';

/** Writes the types of `paygraph/client` for the targets of events, from the schemas of payloads. */
export const payloadTypes =
  (): string => `// Written by \`npm run docs\`. Change the schemas of payloads, and run the command again.

/** The version of payloads that these types describe. */
export type PayloadVersion = ${PAYLOAD_VERSION};

${Object.entries(TARGET_SCHEMAS)
  .map(
    ([kind, schema]) =>
      `/** The target of events ${named(kind)}. */\nexport type ${typeName(kind)} = ${typeOf(schema)};`,
  )
  .join('\n\n')}

/** The target of each event, by the name of the event. */
export type EventTargets = {
${EVENT_NAMES.map((name) => `  readonly '${name}': ${typeName(targetKindOf(name))};`).join('\n')}
};
`;

const named = (kind: string): string => (kind.includes('.') ? `\`${kind}\`` : `\`${kind}.*\``);

/** For example `ApiKeyPairTarget`. */
const typeName = (kind: TargetKind | (string & {})): string =>
  `${kind
    .split(/[-.]/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')}Target`;

type Node = {
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly description?: string;
};

function typeOf(schema: JsonSchema): string {
  const node = schema as Node;
  if (node.const !== undefined) return JSON.stringify(node.const);
  if (node.enum) return node.enum.map((word) => JSON.stringify(word)).join(' | ');
  return [node.type ?? []]
    .flat()
    .map((type) => plainType(type, node))
    .join(' | ');
}

function plainType(type: string, { items, properties }: Node): string {
  if (type === 'array' && items) return `readonly (${typeOf(items)})[]`;
  if (type === 'object') return properties ? objectOf(properties) : 'Readonly<Record<string, unknown>>';
  const name = PRIMITIVES[type];
  if (name === undefined) throw new Error(`No type of TypeScript is known for ${type}.`);
  return name;
}

const PRIMITIVES: Readonly<Record<string, string>> = {
  string: 'string',
  integer: 'number',
  boolean: 'boolean',
  null: 'null',
};

const objectOf = (properties: Readonly<Record<string, JsonSchema>>): string =>
  `{${Object.entries(properties)
    .map(([name, schema]) => `${comment(schema as Node)}readonly ${name}: ${typeOf(schema)};`)
    .join('\n')}}`;

const comment = ({ description }: Node): string => (description ? `/** ${description} */\n` : '');
