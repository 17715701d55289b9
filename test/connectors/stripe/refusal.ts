import type Stripe from 'stripe';

/** The error of an answer, in Stripe's words. */
export type Refusal = {
  readonly status: number;
  readonly type: 'api_error' | 'card_error' | 'idempotency_error' | 'invalid_request_error';
  readonly message: string;
  readonly code?: string;
  readonly param?: string;
  readonly decline_code?: string;
  readonly advice_code?: string;
  readonly network_advice_code?: string;
  readonly network_decline_code?: string;
  readonly charge?: string;
  readonly payment_intent?: Stripe.PaymentIntent;
  readonly setup_intent?: Stripe.SetupIntent;
  readonly payment_method?: Stripe.PaymentMethod;
};

/** Ends a request with an error. */
export function refuse(refusal: Refusal): never {
  throw Object.assign(new Error(refusal.message), { refusal });
}

/** Ends a request whose parameters are wrong. */
export const refuseParameter = (message: string, param?: string, code?: string): never =>
  refuse({
    ...{ status: 400, type: 'invalid_request_error', message },
    ...(param === undefined ? {} : { param }),
    ...(code === undefined ? {} : { code }),
  });

/** Ends a request about an object that does not exist. */
export const refuseMissing = (kind: string, id: string, param = 'id', status = 404): never =>
  refuse({
    ...{ status, type: 'invalid_request_error', code: 'resource_missing', param },
    message: `No such ${kind}: '${id}'`,
  });

/** Returns the error that ended a request. Throws every other error again. */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof Error && 'refusal' in error) return error.refusal as Refusal;
  throw error;
}

/** Returns the body of an error. */
export function errorBody({ status, ...error }: Refusal): { readonly error: object } {
  if (error.code === undefined || status === 401) return { error };
  const doc_url = `https://stripe.com/docs/error-codes/${error.code.replaceAll('_', '-')}`;
  return { error: { ...error, doc_url } };
}
