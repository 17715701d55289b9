import { readFileSync } from 'node:fs';
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { SCHEMAS_FILE, type Json, type Schema } from './json.ts';
import { refuse } from './refusal.ts';

const schemas = JSON.parse(readFileSync(SCHEMAS_FILE, 'utf8')) as {
  readonly calls: Readonly<Record<string, Schema>>;
  readonly $defs: Readonly<Record<string, Schema>>;
};

/** The parameters of an acceptance, which PayPal's description only names. */
const ACCEPTANCE: Schema = {
  type: 'object',
  properties: {
    note: { type: 'string', minLength: 1, maxLength: 2000 },
    accept_claim_reason: {
      enum: [
        'DID_NOT_SHIP_ITEM',
        'TOO_TIME_CONSUMING',
        'LOST_IN_MAIL',
        'NOT_ABLE_TO_WIN',
        'COMPANY_POLICY',
        'REASON_NOT_SET',
      ],
    },
    accept_claim_type: {
      enum: ['REFUND', 'REFUND_WITH_RETURN', 'PARTIAL_REFUND', 'REFUND_WITH_RETURN_SHIPMENT_LABEL'],
    },
    invoice_id: { type: 'string', minLength: 1, maxLength: 127 },
  },
  additionalProperties: false,
};

const EVIDENCES: Schema = {
  type: 'object',
  properties: {
    evidences: { type: 'array', minItems: 1, items: schemas.calls['part evidence'] ?? {} },
  },
  required: ['evidences'],
  additionalProperties: false,
};

const ajv = new Ajv2020({ strict: false, allErrors: false, unicodeRegExp: false, verbose: true });
const validators = new Map<string, ValidateFunction>();

function validatorOf(call: string): ValidateFunction | null {
  const known = validators.get(call);
  if (known) return known;
  const schema =
    call === 'accept-claim' ? ACCEPTANCE : call === 'provide-evidence' ? EVIDENCES : schemas.calls[call];
  if (!schema) return null;
  const validate = ajv.compile({ ...schema, $defs: schemas.$defs });
  validators.set(call, validate);
  return validate;
}

const ISSUES: Readonly<Record<string, string>> = {
  ...{ required: 'MISSING_REQUIRED_PARAMETER', pattern: 'INVALID_PARAMETER_SYNTAX' },
  ...{ type: 'INVALID_PARAMETER_SYNTAX', format: 'INVALID_PARAMETER_SYNTAX' },
  enum: 'INVALID_PARAMETER_VALUE',
  ...{ minLength: 'INVALID_STRING_LENGTH', maxLength: 'INVALID_STRING_LENGTH' },
  ...{ minItems: 'INVALID_ARRAY_MIN_ITEMS', maxItems: 'INVALID_ARRAY_MAX_ITEMS' },
};

/** Refuses a body that the call's schema refuses, also one with an unknown property. */
export function checkBody(call: string, body: Json): void {
  const validate = validatorOf(call);
  if (!validate || validate(body)) return;
  const error = validate.errors?.[0];
  refuse({
    ...{ status: 400, name: 'INVALID_REQUEST' },
    issue: ISSUES[error?.keyword ?? ''] ?? 'INVALID_PARAMETER',
    field: error ? fieldOf(error) : '/',
  });
}

function fieldOf({ instancePath, params }: ErrorObject): string {
  const { missingProperty, unevaluatedProperty, additionalProperty } = params as Readonly<
    Record<string, unknown>
  >;
  const name = missingProperty ?? unevaluatedProperty ?? additionalProperty;
  return typeof name === 'string' ? `${instancePath}/${name}` : instancePath;
}
