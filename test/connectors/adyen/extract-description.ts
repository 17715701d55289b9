import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

// Writes description.json, which `npm run format` then formats:
// node test/connectors/adyen/extract-description.ts <CheckoutService-v71.json of Adyen/adyen-openapi> <its commit>

/** The calls that the double answers. */
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
] as const;

const COMMENT =
  'A part of json/CheckoutService-v71.json of https://github.com/Adyen/adyen-openapi: the schemas of the calls that the ' +
  'double answers, without descriptions. The MIT License in LICENSE-adyen-openapi covers this file.';

/** Keys without a meaning for a check. */
const FOR_PEOPLE = new Set(['description', 'title', 'deprecated', 'discriminator', 'example', 'examples']);

type Json = Readonly<Record<string, unknown>>;
type Body = { readonly content?: { readonly 'application/json'?: { readonly schema?: { $ref?: string } } } };
type Call = { readonly requestBody?: Body; readonly responses: Readonly<Record<string, Body>> };

const [file, commit] = process.argv.slice(2);
if (file === undefined || commit === undefined) throw new Error('Give the file and its commit.');
const whole = JSON.parse(readFileSync(file, 'utf8')) as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Call>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Json>> };
};

const nameOf = (reference: string): string => reference.slice(reference.lastIndexOf('/') + 1);
const schemaOf = (body: Body | undefined): string | null => {
  const reference = body?.content?.['application/json']?.schema?.$ref;
  return reference === undefined ? null : nameOf(reference);
};

const calls = CALLS.map(([method, path]) => {
  const call = whole.paths[path]?.[method];
  if (!call) throw new Error(`The description has no ${method} ${path}.`);
  const responses = Object.entries(call.responses).map(([status, body]) => [status, schemaOf(body)] as const);
  return { method: method.toUpperCase(), path, request: schemaOf(call.requestBody), responses };
});

const schemas = new Map<string, unknown>();
for (const { request, responses } of calls)
  for (const name of [request, ...responses.map(([, schema]) => schema)]) reach(name);

function reach(name: string | null): void {
  if (name === null || schemas.has(name)) return;
  const schema = whole.components.schemas[name];
  schemas.set(name, strip(schema));
  for (const reference of referencesIn(strip(schema))) reach(reference);
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
  calls: calls.map((call) => ({ ...call, responses: Object.fromEntries(call.responses) })),
  components: { schemas: sorted },
};
writeFileSync(join(import.meta.dirname, 'description.json'), `${JSON.stringify(description)}\n`);
