import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SCHEMAS_FILE, type Json, type Schema } from './json.ts';

// Writes the schemas of the requests that the double checks, without their descriptions. The source is the folder
// `openapi` of PayPal's repository `paypal-rest-api-specifications` (Apache-2.0):
//
//   node test/connectors/paypal/write-schemas.ts <folder> && npx oxfmt test/connectors/paypal/schemas.json

/** The calls with a body, each with its description and the schema of its body. */
const CALLS: Readonly<Record<string, readonly [file: string, schema: string]>> = {
  'POST /v2/checkout/orders': ['checkout_orders_v2', 'order_request'],
  'POST /v2/checkout/orders/{id}/authorize': ['checkout_orders_v2', 'order_authorize_request'],
  'POST /v2/checkout/orders/{id}/capture': ['checkout_orders_v2', 'order_capture_request'],
  'POST /v2/payments/authorizations/{id}/capture': ['payments_payment_v2', 'capture_request'],
  'POST /v2/payments/authorizations/{id}/reauthorize': ['payments_payment_v2', 'reauthorize_request'],
  'POST /v2/payments/captures/{id}/refund': ['payments_payment_v2', 'refund_request'],
  'POST /v1/notifications/verify-webhook-signature': [
    'notifications_webhooks_v1',
    'verify_webhook_signature',
  ],
  'part evidence': ['customer_disputes_v1', 'evidence'],
};

/** Properties that the description of 2024 lacks. The types of PayPal's SDK 2.5.0 (MIT) have them. */
const NEWER: Readonly<Record<string, Readonly<Record<string, Schema>>>> = {
  'checkout_orders_v2.order_request': {
    processing_instruction: { enum: ['ORDER_COMPLETE_ON_PAYMENT_APPROVAL', 'NO_INSTRUCTION'] },
  },
  'checkout_orders_v2.paypal_wallet': {
    stored_credential: {
      type: 'object',
      properties: {
        payment_initiator: { enum: ['CUSTOMER', 'MERCHANT'] },
        charge_pattern: { type: 'string', pattern: '^[A-Z_]+$' },
        usage_pattern: { type: 'string', pattern: '^[A-Z_]+$' },
        usage: { enum: ['FIRST', 'SUBSEQUENT', 'DERIVED'] },
      },
      required: ['payment_initiator'],
    },
  },
};

/** The words of a schema that restrict a value. The formats of PayPal's own are dropped. */
const KEPT = new Set([
  ...['type', 'properties', 'required', 'items', 'enum', 'pattern', 'minLength', 'maxLength', 'minItems'],
  ...['maxItems', 'minimum', 'maximum', 'allOf', 'anyOf', 'oneOf', '$ref', 'additionalProperties'],
]);

const [, , folder = ''] = process.argv;
const files = new Map<string, Readonly<Record<string, Schema>>>();
const written: Record<string, Schema> = {};

function schemasOf(file: string): Readonly<Record<string, Schema>> {
  const known = files.get(file);
  if (known) return known;
  const { components } = JSON.parse(readFileSync(join(folder, `${file}.json`), 'utf8')) as {
    readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
  };
  files.set(file, components.schemas);
  return components.schemas;
}

function write(file: string, name: string): string {
  const key = `${file}.${name}`;
  if (key in written) return key;
  written[key] = {};
  const schema = schemasOf(file)[name];
  if (!schema) throw new Error(`The description ${file} has no schema ${name}.`);
  const newer = NEWER[key];
  const properties = { ...(schema['properties'] as Readonly<Record<string, Schema>> | undefined), ...newer };
  written[key] = strip(file, newer ? { ...schema, properties } : schema);
  return key;
}

/** Returns a schema with its restrictions alone. A part of `allOf` stays open, and its whole is closed. */
function strip(file: string, schema: Schema): Schema {
  const entries = Object.entries(schema)
    .filter(([word, value]) => KEPT.has(word) && !(word === 'additionalProperties' && value === true))
    .map(([word, value]): readonly [string, Json] => {
      if (word === '$ref') return [word, `#/$defs/${write(file, nameOf(value))}`];
      if (word === 'items') return [word, close(file, value as Schema)];
      if (word === 'properties')
        return [
          word,
          Object.fromEntries(
            Object.entries(value as Readonly<Record<string, Schema>>).map(([name, each]) => [
              name,
              close(file, each),
            ]),
          ),
        ];
      if (word === 'allOf' || word === 'anyOf' || word === 'oneOf')
        return [word, (value as readonly Schema[]).map((part) => strip(file, part))];
      return [word, value];
    });
  return Object.fromEntries(entries);
}

const nameOf = (reference: Json): string => (reference as string).split('/').at(-1) ?? '';

/** Returns the schema of a whole value, which refuses unknown properties. */
function close(file: string, schema: Schema): Schema {
  const stripped = strip(file, schema);
  const isOpen = schema['additionalProperties'] === true;
  return isObject(file, schema) && !isOpen ? { ...stripped, unevaluatedProperties: false } : stripped;
}

function isObject(file: string, schema: Schema): boolean {
  const target = schema['$ref'];
  if (target !== undefined) return isObject(file, schemasOf(file)[nameOf(target)] ?? {});
  return schema['type'] === 'object' || 'properties' in schema || 'allOf' in schema;
}

const calls = Object.fromEntries(
  Object.entries(CALLS).map(([call, [file, name]]) => [
    call,
    { $ref: `#/$defs/${write(file, name)}`, unevaluatedProperties: false },
  ]),
);
writeFileSync(SCHEMAS_FILE, JSON.stringify({ calls, $defs: written }));
