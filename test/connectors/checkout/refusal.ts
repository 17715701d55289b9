/** The error of an answer. Some errors of Checkout.com have no codes, and no body then. */
export type Refusal = { readonly status: number; readonly codes: readonly string[] };

/** Ends a request with an error. */
export function refuse(status: number, ...codes: readonly string[]): never {
  throw Object.assign(new Error(`${status} ${codes.join(' ')}`), { refusal: { status, codes } });
}

/** Ends a request that is not valid. */
export const refuseInvalid = (...codes: readonly string[]): never => refuse(422, ...codes);

/** Ends a request that the state of a payment forbids. Checkout.com answers without a body. */
export const refuseForbidden = (): never => refuse(403);

/** Returns the error that ended a request. Throws every other error again. */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof Error && 'refusal' in error) return error.refusal as Refusal;
  throw error;
}

/** Returns the body of an error. */
export const errorBody = ({ codes }: Refusal, requestId: string): object | null =>
  codes.length === 0
    ? null
    : { request_id: requestId, error_type: 'request_invalid', error_codes: [...codes] };
