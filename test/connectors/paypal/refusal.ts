/** The error of an answer, in PayPal's words. */
export type Refusal = {
  readonly status: number;
  readonly name: string;
  readonly issue?: string;
  readonly field?: string;
  readonly description?: string;
  readonly links?: readonly object[];
};

/** Ends a request with an error. */
export function refuse(refusal: Refusal): never {
  throw Object.assign(new Error(refusal.issue ?? refusal.name), { refusal });
}

/** Ends a request that is well formed, but not possible now. */
export const refuseIssue = (issue: string, field?: string, links?: readonly object[]): never =>
  refuse({
    ...{ status: 422, name: 'UNPROCESSABLE_ENTITY', issue },
    ...(field === undefined ? {} : { field }),
    ...(links === undefined ? {} : { links }),
  });

export const refuseMissing = (): never =>
  refuse({ status: 404, name: 'RESOURCE_NOT_FOUND', issue: 'INVALID_RESOURCE_ID' });

/** Returns the error that ended a request. Throws every other error again. */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof Error && 'refusal' in error) return error.refusal as Refusal;
  throw error;
}

const MESSAGES: Readonly<Record<string, string>> = {
  INVALID_REQUEST: 'Request is not well-formed, syntactically incorrect, or violates schema.',
  UNPROCESSABLE_ENTITY:
    'The requested action could not be performed, semantically incorrect, or failed business validation.',
  RESOURCE_NOT_FOUND: 'The specified resource does not exist.',
  RESOURCE_CONFLICT: 'The server has detected a conflict while processing this request.',
  AUTHENTICATION_FAILURE:
    'Authentication failed due to missing authorization header, or invalid authentication credentials.',
  NOT_AUTHORIZED: 'Authorization failed due to insufficient permissions.',
  RATE_LIMIT_REACHED: 'Too many requests. Blocked due to rate limiting.',
  INTERNAL_SERVER_ERROR: 'An internal server error has occurred.',
};

/** Returns the body of an error. */
export function errorBody(refusal: Refusal, debugId: string): object {
  const { name, issue, field, description, links = [] } = refusal;
  return {
    name,
    ...(issue === undefined
      ? {}
      : {
          details: [
            {
              issue,
              ...(field === undefined ? {} : { field, location: 'body' }),
              description: description ?? `The request was refused: ${issue}.`,
            },
          ],
        }),
    message: MESSAGES[name] ?? name,
    debug_id: debugId,
    links,
  };
}
