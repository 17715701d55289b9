import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import {
  EVENT_NAMES,
  payloadSchema,
  publishedText,
  type EventName,
} from '../../src/modules/event-log/index.ts';

// payload-schemas.long.test.ts checks the schemas themselves.
const ajv = new Ajv2020({
  allErrors: true,
  allowUnionTypes: true,
  validateSchema: false,
  code: { optimize: false },
});
addFormats.default(ajv);

const checks = new Map<EventName, ValidateFunction>();

/** Compiles the schema of an event in a strict form, which accepts no unlisted field. */
function checkOf(name: EventName): ValidateFunction {
  const check = checks.get(name) ?? ajv.compile(strict(payloadSchema(name)) as object);
  checks.set(name, check);
  return check;
}

const strict = (part: unknown): unknown => {
  if (typeof part !== 'object' || part === null || Array.isArray(part)) return part;
  const inner = Object.fromEntries(Object.entries(part).map(([key, value]) => [key, strict(value)]));
  return 'properties' in inner ? { ...inner, additionalProperties: false } : inner;
};

/** Returns the events unchanged. Throws when a payload differs from its published JSON Schema. */
export function documented<Row extends { readonly payload: string }>(rows: readonly Row[]): readonly Row[] {
  const faults = rows.flatMap(({ payload }) => payloadFaults(payload));
  if (faults.length > 0) throw new Error(faults.join('\n'));
  return rows;
}

/**
 * Compares the text of an event with its published JSON Schema. Lists every difference. A stored text gets its sequence
 * first.
 */
export function payloadFaults(text: string): readonly string[] {
  const payload: unknown = JSON.parse(text.startsWith('{"sequence":') ? text : publishedText(text, 1n));
  const given = (payload as { readonly name: string }).name;
  const name = EVENT_NAMES.find((known) => known === given);
  if (name === undefined) return [`${given} is no event name`];
  const check = checkOf(name);
  if (check(payload)) return [];
  return (check.errors ?? []).map(
    ({ instancePath, message, params }) => `${name} ${instancePath} ${message} ${JSON.stringify(params)}`,
  );
}
