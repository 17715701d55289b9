/** An error of Mollie. There is no machine code, so the field says which part of the request is wrong. */
export type Refusal = { readonly status: number; readonly field?: string; readonly detail: string };

/** Ends a request with an error. */
export function refuse(status: number, detail: string, field?: string): never {
  const refusal: Refusal = { status, detail, ...(field !== undefined && { field }) };
  throw Object.assign(new Error(detail), { refusal });
}

/** Returns the error that ended a request. Throws every other error again. */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof Error && 'refusal' in error) return error.refusal as Refusal;
  throw error;
}

const TITLES: Readonly<Record<number, string>> = {
  ...{ 400: 'Bad Request', 401: 'Unauthorized Request', 403: 'Forbidden', 404: 'Not Found', 409: 'Conflict' },
  ...{ 410: 'Gone', 422: 'Unprocessable Entity', 429: 'Too Many Requests', 500: 'Internal Server Error' },
};

/** Returns the body of an error. */
export const errorBody = ({ status, field, detail }: Refusal): object => ({
  ...{ status, title: TITLES[status] ?? 'Error', detail, ...(field !== undefined && { field }) },
  _links: { documentation: { href: 'https://docs.mollie.com/reference/handling-errors', type: 'text/html' } },
});
