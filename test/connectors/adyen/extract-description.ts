import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

// Writes description.json, which `npm run format` then formats:
// node test/connectors/adyen/extract-description.ts <json folder of Adyen/adyen-openapi> <its commit>

const CHECKOUT = 'CheckoutService-v71.json';
const DISPUTES = 'DisputeService-v30.json';

/** The calls that the double answers. Those of disputes have the path below their host. */
const CALLS = [
  ['post', '/payments'],
  ['post', '/payments/details'],
  ['post', '/payments/{paymentPspReference}/captures'],
  ['post', '/payments/{paymentPspReference}/cancels'],
  ['post', '/payments/{paymentPspReference}/refunds'],
  ['post', '/payments/{paymentPspReference}/reversals'],
  ['post', '/payments/{paymentPspReference}/amountUpdates'],
  ['post', '/cancels'],
  ['post', '/paymentMethods'],
  ['post', '/storedPaymentMethods'],
  ['get', '/storedPaymentMethods'],
].map(([method = '', path = '']) => ({ file: CHECKOUT, method, path, prefix: '' }));

const DISPUTE_CALLS = [
  '/acceptDispute',
  '/defendDispute',
  '/deleteDisputeDefenseDocument',
  '/retrieveApplicableDefenseReasons',
  '/supplyDefenseDocument',
].map((path) => ({ file: DISPUTES, method: 'post', path, prefix: '/ca/services/DisputeService/v30' }));

const COMMENT =
  `A part of json/${CHECKOUT} and json/${DISPUTES} of https://github.com/Adyen/adyen-openapi: the schemas of the calls ` +
  'that the double answers, without descriptions. The MIT License in LICENSE-adyen-openapi covers this file.';

/** Keys without a meaning for a check. */
const FOR_PEOPLE = new Set(['description', 'title', 'deprecated', 'discriminator', 'example', 'examples']);

type Json = Readonly<Record<string, unknown>>;
type Body = { readonly content?: { readonly 'application/json'?: { readonly schema?: { $ref?: string } } } };
type Call = { readonly requestBody?: Body; readonly responses: Readonly<Record<string, Body>> };

type Description = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Call>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Json>> };
};

const [folder, commit] = process.argv.slice(2);
if (folder === undefined || commit === undefined) throw new Error('Give the folder and its commit.');

const read = (file: string): Description =>
  JSON.parse(readFileSync(join(folder, file), 'utf8')) as Description;

const nameOf = (reference: string): string => reference.slice(reference.lastIndexOf('/') + 1);
const schemaOf = (body: Body | undefined): string | null => {
  const reference = body?.content?.['application/json']?.schema?.$ref;
  return reference === undefined ? null : nameOf(reference);
};

const described = [...CALLS, ...DISPUTE_CALLS].map(({ file, method, path, prefix }) => {
  const call = read(file).paths[path]?.[method];
  if (!call) throw new Error(`${file} has no ${method} ${path}.`);
  const responses = Object.entries(call.responses).map(([status, body]) => [status, schemaOf(body)] as const);
  const request = schemaOf(call.requestBody);
  return { file, call: { method: method.toUpperCase(), path: prefix + path, request, responses } };
});

const schemas = new Map<string, unknown>();
for (const { file, call } of described)
  for (const name of [call.request, ...call.responses.map(([, schema]) => schema)]) reach(read(file), name);

/** Keeps a schema, and those that it names. Both files have the same error, and the first one stays. */
function reach(whole: Description, name: string | null): void {
  if (name === null || schemas.has(name)) return;
  const schema = closed(strip(whole.components.schemas[name]) as Json);
  schemas.set(name, schema);
  for (const reference of referencesIn(schema)) reach(whole, reference);
}

/** Closes an object, as those of Checkout are closed already. */
function closed(schema: Json): Json {
  return 'properties' in schema ? { ...schema, additionalProperties: false } : schema;
}

function referencesIn(part: unknown): string[] {
  if (typeof part !== 'object' || part === null) return [];
  return Object.entries(part).flatMap(([key, value]) =>
    key === '$ref' && typeof value === 'string' ? [nameOf(value)] : referencesIn(value),
  );
}

/** Leaves out words for people. A property may have such a name, too. */
function strip(part: unknown, isNames = false): unknown {
  if (Array.isArray(part)) return part.map((each) => strip(each));
  if (typeof part !== 'object' || part === null) return part;
  const kept = Object.entries(part).filter(([key]) => isNames || !(FOR_PEOPLE.has(key) || /^x-/.test(key)));
  return Object.fromEntries(
    kept.map(([key, value]) => [key, strip(value, !isNames && key === 'properties')]),
  );
}

const sorted = Object.fromEntries([...schemas].toSorted(([a], [b]) => (a < b ? -1 : 1)));
const description = {
  comment: COMMENT,
  commit,
  calls: described.map(({ call }) => ({ ...call, responses: Object.fromEntries(call.responses) })),
  components: { schemas: sorted },
};
writeFileSync(join(import.meta.dirname, 'description.json'), `${JSON.stringify(description)}\n`);
