import { PaygraphError } from './error.ts';

/** How a connection ended: with an error that a new one would meet again, or so that a new one goes on. */
export type End =
  | { readonly kind: 'final'; readonly error: PaygraphError }
  | { readonly kind: 'again'; readonly reason: string }
  | { readonly kind: 'aborted' };

/** The consumer wants no more. */
export const ABORTED: End = { kind: 'aborted' };

export const again = (reason: string): End => ({ kind: 'again', reason });

const final = (code: string, message: string, extensions?: Readonly<Record<string, unknown>>): End => ({
  kind: 'final',
  error: new PaygraphError(code, message, extensions),
});

/** What the close of a socket means. `acknowledged`: the service had accepted the token. */
export function endOfClose(event: unknown, acknowledged: boolean): End {
  const { code = 1006, reason = '' } = event as { readonly code?: number; readonly reason?: string };
  // Later the same code says that the token has expired.
  if (code === 4403 && !acknowledged) return final('FORBIDDEN', reason);
  if (code === 4401) return final('UNAUTHENTICATED', reason);
  if (PROTOCOL_CODES.includes(code))
    return final('PROTOCOL', `The service closed the socket: ${code} ${reason}.`);
  return again(`The socket was closed: ${code}${reason && ` ${reason}`}`);
}

/** The service does not understand this client, or the other way round: graphql-ws' and the websocket's own codes. */
const PROTOCOL_CODES: readonly number[] = [1002, 1003, 1007, 1009, 1010, 4004, 4400, 4406, 4409, 4429];

/** What an error of the socket means: it could not be opened, or broke. */
export const endOfFault = (fault: unknown): End => {
  const { message } = fault as { readonly message?: unknown };
  return again(typeof message === 'string' && message !== '' ? message : 'The service cannot be reached.');
};

/** An error in an answer, as GraphQL has it. */
export type AnsweredError = {
  readonly message: string;
  readonly extensions?: Readonly<Record<string, unknown>> | undefined;
};

/** What errors in the answer mean: all are final but those that pass. */
export function endOfErrors(errors: readonly AnsweredError[]): End {
  const codeOf = ({ extensions }: AnsweredError): string =>
    typeof extensions?.['code'] === 'string' ? extensions['code'] : 'UNKNOWN';
  const worst = errors.find((error) => !PASSING.includes(codeOf(error)));
  if (worst) return final(codeOf(worst), worst.message, worst.extensions);
  return again(errors.map(({ message }) => message).join(' '));
}

const PASSING: readonly string[] = ['INTERNAL_SERVER_ERROR', 'TOO_MANY_OPERATIONS', 'TOO_MANY_SUBSCRIPTIONS'];
