import type { DescriptionFault } from './description.ts';

/** An answer before it becomes text. */
export type Answer = { readonly status: number; readonly body: object | null };

type ErrorType = 'validation' | 'configuration' | 'security' | 'internal';

/** An error of the API. */
export const refusal = (
  status: number,
  errorCode: string,
  message: string,
  errorType: ErrorType = 'validation',
): Answer => ({ status, body: { status, errorCode, message, errorType } });

export const invalid = (errorCode: string, message: string): Answer => refusal(422, errorCode, message);

export const UNAUTHORIZED = refusal(401, '000', 'HTTP Status Response - Unauthorized', 'security');
export const FORBIDDEN = refusal(403, '010', 'Not allowed', 'security');
export const OTHER_ACCOUNT = refusal(403, '901', 'Invalid Merchant Account', 'security');
export const UNREADABLE = refusal(400, '702', 'Unexpected input: ", expected: }');
export const NOT_FOUND = refusal(404, '702', 'No such resource');
export const STILL_RUNNING = invalid('704', 'request already processed or in progress');
export const KEY_TOO_LONG = invalid('702', 'The Idempotency-Key has more than 64 characters');
export const NO_ORIGINAL = invalid('167', 'Original pspReference required for this operation');

/** The codes of required fields that have one of their own. */
const MISSING: Readonly<Record<string, Answer>> = {
  amount: invalid('100', 'No amount specified'),
  merchantAccount: OTHER_ACCOUNT,
  paymentMethod: invalid('14_004', 'Missing payment method details'),
  reference: invalid('130', 'Reference Missing'),
  returnUrl: invalid('14_030', 'Return URL is missing.'),
};

/** Refuses a request by its first fault. */
export function refusalOf({ at, rule, field, message }: DescriptionFault): Answer {
  if (rule === 'required') return (at === '' && MISSING[field ?? '']) || missing(field ?? '');
  if (rule === 'additionalProperties')
    return invalid('702', `Structure of the request contains the following unknown fields: [${field}]`);
  return invalid('702', `Invalid value of ${at}: ${message}`);
}

export const missing = (field: string): Answer =>
  invalid('14_002', `Required field '${field}' is not provided.`);
