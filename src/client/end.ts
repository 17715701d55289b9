import { PaygraphError } from './error.ts';

/** The end of a connection: final with an error that would recur, or retryable by a new connection. */
export type End =
  | { readonly kind: 'final'; readonly error: PaygraphError }
  | { readonly kind: 'retryable'; readonly reason: string }
  | { readonly kind: 'aborted' };

/** The end by the consumer. */
export const ABORTED: End = { kind: 'aborted' };

export const retryable = (reason: string): End => ({ kind: 'retryable', reason });

const final = (code: string, message: string, extensions?: Readonly<Record<string, unknown>>): End => ({
  kind: 'final',
  error: new PaygraphError(code, message, extensions),
});

/** Returns the end for the close of a socket. `acknowledged` is true if the service had accepted the token. */
export function endOfClose(event: unknown, acknowledged: boolean): End {
  const { code = 1006, reason = '' } = event as { readonly code?: number; readonly reason?: string };
  // After the acknowledgement, the same code means an expired token.
  if (code === 4403 && !acknowledged) return final('FORBIDDEN', reason);
  if (code === 4401) return final('UNAUTHENTICATED', reason);
  if (PROTOCOL_CODES.includes(code))
    return final('PROTOCOL', `The service closed the socket: ${code} ${reason}.`);
  return retryable(`The socket was closed: ${code}${reason && ` ${reason}`}`);
}

/** The codes of graphql-ws and websockets for a protocol that one side does not understand. */
const PROTOCOL_CODES: readonly number[] = [1002, 1003, 1007, 1009, 1010, 4004, 4400, 4406, 4409, 4429];

/** Returns the end for an error of the socket, which could not be opened or broke. */
export const endOfFault = (fault: unknown): End => {
  const { message } = fault as { readonly message?: unknown };
  return retryable(
    typeof message === 'string' && message !== '' ? message : 'The service cannot be reached.',
  );
};

/** A GraphQL error in a response. */
export type AnsweredError = {
  readonly message: string;
  readonly extensions?: Readonly<Record<string, unknown>> | undefined;
};

/** Returns the end for errors in a response. All are final except transient ones. */
export function endOfErrors(errors: readonly AnsweredError[]): End {
  const codeOf = ({ extensions }: AnsweredError): string =>
    typeof extensions?.['code'] === 'string' ? extensions['code'] : 'UNKNOWN';
  const worst = errors.find((error) => !TRANSIENT.includes(codeOf(error)));
  if (worst) return final(codeOf(worst), worst.message, worst.extensions);
  return retryable(errors.map(({ message }) => message).join(' '));
}

const TRANSIENT: readonly string[] = [
  'INTERNAL_SERVER_ERROR',
  'TOO_MANY_OPERATIONS',
  'TOO_MANY_SUBSCRIPTIONS',
];
