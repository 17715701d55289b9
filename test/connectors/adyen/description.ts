import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

/** One difference between a body and Adyen's own description of a call. */
export type DescriptionFault = {
  /** A JSON pointer, such as `/amount/value`. Empty for the whole body. */
  readonly at: string;
  /** The keyword of JSON Schema, such as `required` or `additionalProperties`. */
  readonly rule: string;
  /** The name of the missing or undescribed field. Null for other rules. */
  readonly field: string | null;
  readonly message: string;
};

/** A call to Adyen's Checkout API, version 71. `path` has no version and no query. */
export type DescribedCall = { readonly method: string; readonly path: string };

/** Lists the faults of a request, all of them. `body`: the parsed JSON. */
export const requestFaults = (call: DescribedCall, body: unknown): readonly DescriptionFault[] =>
  faultsOf(callOf(call).request, body);

/** Lists the faults of an answer. A status without a description is a fault. */
export function responseFaults(
  call: DescribedCall,
  status: number,
  body: unknown,
): readonly DescriptionFault[] {
  const name = callOf(call).responses[status];
  const undescribed = { at: '', rule: 'status', field: null, message: `answers ${status}` };
  return name === undefined ? [undescribed] : faultsOf(name, body);
}

/** Returns true if the description has the call. */
export const isDescribed = (call: DescribedCall): boolean => find(call) !== undefined;

type Call = {
  readonly method: string;
  readonly path: string;
  readonly request: string | null;
  readonly responses: Readonly<Record<string, string | null>>;
};

const text = readFileSync(join(import.meta.dirname, 'description.json'), 'utf8');
const { calls, components } = JSON.parse(text) as {
  readonly calls: readonly Call[];
  readonly components: object;
};

const patterns = calls.map((call) => ({
  call,
  pattern: new RegExp(`^${call.path.replaceAll(/\{[^}]+\}/g, '[^/]+')}$`),
}));

const find = ({ method, path }: DescribedCall): Call | undefined =>
  patterns.find(({ call, pattern }) => call.method === method && pattern.test(path))?.call;

function callOf(given: DescribedCall): Call {
  const call = find(given);
  if (!call) throw new Error(`The description has no ${given.method} ${given.path}.`);
  return call;
}

const ajv = new Ajv2020({ allErrors: true, allowUnionTypes: true, strictTypes: false });
addFormats.default(ajv);
ajv.addKeyword('components');
ajv.addSchema({ $id: 'adyen', components });

const checks = new Map<string, ValidateFunction>();

function faultsOf(name: string | null, body: unknown): readonly DescriptionFault[] {
  if (name === null) return [];
  const check = checks.get(name) ?? ajv.compile({ $ref: `adyen#/components/schemas/${name}` });
  checks.set(name, check);
  if (check(body)) return [];
  return withoutOtherBranches(check.errors ?? []).map(toFault);
}

/**
 * Leaves out what a `oneOf` says about branches of another type. A payment method has 57 of them, and its own says what
 * is wrong.
 */
function withoutOtherBranches(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const branchOf = ({ schemaPath }: ErrorObject): string => /schemas\/([^/]+)\//.exec(schemaPath)?.[1] ?? '';
  const others = new Set(errors.filter(isOtherType).map(branchOf));
  const left = errors.filter((error) => !others.has(branchOf(error)));
  const own = left.filter(({ keyword }) => keyword !== 'oneOf');
  return own.length > 0 ? own : left;
}

const isOtherType = ({ keyword, instancePath }: ErrorObject): boolean =>
  keyword === 'enum' && /^\/(paymentMethod|action)\/type$/.test(instancePath);

function toFault({ instancePath, keyword, params, message = '' }: ErrorObject): DescriptionFault {
  const { missingProperty, additionalProperty } = params as Readonly<Record<string, string | undefined>>;
  return {
    at: instancePath,
    rule: keyword,
    field: missingProperty ?? additionalProperty ?? null,
    message,
  };
}
