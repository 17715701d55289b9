import { isRetriableDecline } from '../../../src/modules/transactions/model/retriable.ts';
import { refusalsByAmount } from '../../../src/connectors/sandbox/error-codes.ts';
import { enumRows } from './schema.ts';
import { code, table, WRITTEN } from './table.ts';

/** The codes of GraphQL errors. A test looks for every code that the sources name. */
export const GRAPHQL_CODES: Readonly<Record<string, string>> = {
  BAD_REQUEST: 'The request cannot be read, or breaks a rule of GraphQL over HTTP.',
  BAD_USER_INPUT: 'A variable or an argument does not fit its type.',
  CURSOR_AHEAD: 'The feed ends before the cursor, for example after a restore.',
  CURSOR_EXPIRED:
    'The feed no longer holds the events behind the cursor. `extensions.earliestCursor` goes on.',
  FORBIDDEN: 'The token lacks a scope, or reaches no such merchant account.',
  GRAPHQL_PARSE_FAILED: 'The document is not valid GraphQL.',
  GRAPHQL_VALIDATION_FAILED: 'The document does not fit the schema.',
  IDEMPOTENCY_KEY_REQUIRED: 'The operation has several mutations, and one of them lacks an idempotency key.',
  INPUT_TOO_LARGE: 'A list of the input is too long, or the input is nested too deeply.',
  INTERNAL_SERVER_ERROR: 'A fault of the server. `extensions.requestId` names the request.',
  INVALID_INPUT:
    'An argument of a query or subscription breaks a limit. `extensions.refusals` lists the paths.',
  NOT_FOUND: 'The server serves nothing at this address.',
  OPERATION_NOT_ALLOWED: 'The payment no longer waits for its session.',
  OPERATION_RESOLUTION_FAILURE: 'The document has several operations, and the request names none of them.',
  PROVIDER_UNAVAILABLE: 'The provider gave no usable answer, and nothing changed. Ask again.',
  QUERY_TOO_COMPLEX: 'The operation asks for too many objects.',
  QUERY_TOO_DEEP: 'The fields are nested too deeply.',
  SANDBOX_ONLY: 'The field works in the sandbox only.',
  SERVICE_UNAVAILABLE: 'The service cannot take the webhook now. The provider sends it again.',
  TOO_MANY_OPERATIONS: 'The websocket has too many operations.',
  TOO_MANY_SUBSCRIPTIONS: 'The merchant account has too many subscriptions in this process.',
  UNAUTHENTICATED: 'The request carries no valid token.',
};

/** Writes the page of error codes. */
export function errorCodesPage(): string {
  const declines = [
    ...new Map(
      Object.values(refusalsByAmount)
        .flatMap((refusals) => [...refusals.values()])
        .map((refusal) => [refusal.errorCode, refusal]),
    ).values(),
  ].sort((a, b) => a.errorCode.localeCompare(b.errorCode));
  return `${WRITTEN}

# Error codes

[Payments](../concepts/payments.md#declines-refusals-and-errors) explains where each kind of code appears.

## Codes of user errors

A mutation refused, and nothing changed:

${table(
  ['code', 'meaning'],
  enumRows('ErrorCode').map(([value, meaning]) => [code(value), meaning]),
)}

## Codes of payments

\`errorCode\` of a transaction or an operation holds the normalised reason. The sandbox can answer these codes. Only a decline
that allows another try goes on to the next payment service.

${table(
  ['code', 'kind', 'another service is asked'],
  declines.map(({ errorCode, kind }) => [
    code(errorCode),
    kind === 'declined' ? 'decline' : 'technical failure',
    kind === 'failed' || isRetriableDecline(errorCode) ? 'yes' : 'no',
  ]),
)}

Paygraph itself adds these codes:

${table(
  ['code', 'meaning'],
  [
    [code('canceled'), 'The payment was cancelled.'],
    [code('failed_buyer_approval'), '3-D Secure did not authenticate the buyer.'],
    [code('incomplete_buyer_approval'), 'The buyer did not decide or pay in time.'],
    [code('suspected_fraud'), 'The anti-fraud service rejected the payment.'],
    [code('resolved_as_failed'), 'A person resolved the operation as failed.'],
  ],
)}

## Codes of gift cards

${table(
  ['code', 'meaning'],
  enumRows('GiftCardErrorCode').map(([value, meaning]) => [code(value), meaning]),
)}

## Codes of GraphQL errors

\`extensions.code\` of a GraphQL error:

${table(
  ['code', 'meaning'],
  Object.entries(GRAPHQL_CODES).map(([value, meaning]) => [code(value), meaning]),
)}
`;
}
