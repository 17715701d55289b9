import { listDeclineCodes } from '../../../src/modules/transactions/model/decline-codes.ts';
import { enumRows } from './schema.ts';
import { code, table, WRITTEN } from './table.ts';

/** The codes of GraphQL errors. A test looks for every code that the sources name. */
export const GRAPHQL_CODES: Readonly<Record<string, string>> = {
  ACCOUNT_MOVED: 'The merchant account is in another cell. The header `x-paygraph-cell` names it.',
  ACCOUNT_MOVING:
    'The merchant account moves to another cell. Send the request again, and repeat a mutation with the same idempotency key.',
  BAD_REQUEST: 'The request cannot be read, or breaks a rule of GraphQL over HTTP.',
  BAD_USER_INPUT: 'A variable or an argument does not fit its type.',
  CURSOR_AHEAD: 'The feed ends before the cursor.',
  CURSOR_EXPIRED:
    'The feed no longer holds the events behind the cursor. `extensions.earliestCursor` goes on.',
  FEED_RESTORED:
    'The event before the cursor was lost in a restore. `extensions.continueCursor` misses no event, and repeats some.',
  FORBIDDEN: 'The token lacks a scope, or reaches no such merchant account.',
  GRAPHQL_PARSE_FAILED: 'The document is not valid GraphQL.',
  GRAPHQL_VALIDATION_FAILED: 'The document does not fit the schema.',
  IDEMPOTENCY_KEY_HEADER:
    'The header Idempotency-Key differs from the argument, or the document has no mutation or several that move money.',
  IDEMPOTENCY_KEY_REQUIRED:
    'One of several mutations lacks an idempotency key, or a mutation behind a router lacks one.',
  INPUT_TOO_LARGE: 'A list of the input is too long, or the input is nested too deeply.',
  INTERNAL_SERVER_ERROR: 'A fault of the server. `extensions.requestId` names the request.',
  INVALID_INPUT:
    'An argument of a query or subscription breaks a limit. `extensions.refusals` lists the paths.',
  INVITATION_NOT_FOUND: 'The invitation to the dashboard has expired, or it was used or replaced.',
  LINK_EXPIRED: 'The link to the file of an export has expired, or the file has. Query `downloadUrl` again.',
  MISDIRECTED_REQUEST:
    'The Host header names another server. `PAYGRAPH_ALLOWED_HOSTS` adds a name of this server.',
  NOT_FOUND: 'The server serves nothing at this address.',
  OPERATION_NOT_ALLOWED: 'The payment no longer waits for its session.',
  OPERATION_RESOLUTION_FAILURE: 'The document has several operations, and the request names none of them.',
  PROVIDER_UNAVAILABLE: 'The provider gave no usable answer, and nothing changed. Ask again.',
  QUERY_TIMED_OUT:
    'A read took longer than `PAYGRAPH_READ_TIMEOUT_MS`. Narrow the filter or the search, or ask for a smaller page.',
  QUERY_TOO_COMPLEX: 'The operation asks for too many objects.',
  QUERY_TOO_DEEP: 'The fields are nested too deeply.',
  RATE_LIMITED:
    'The merchant account used up its budget, its earlier requests still wait, or the address sent too many refused tokens or sign-ins. Nothing has begun. Wait for `extensions.retryAfterSeconds`.',
  SANDBOX_ONLY: 'The field works in the sandbox only.',
  SERVICE_UNAVAILABLE: 'The service cannot take the webhook now. The provider sends it again.',
  SIGN_IN_REFUSED:
    'A proof of the sign-in is wrong, or the person must wait or may not sign in. The answer does not tell which.',
  SIGN_IN_REQUIRED: 'Nobody is signed in at the dashboard.',
  SUBSCRIPTION_NEEDS_WEBSOCKET: 'A subscription came by HTTP without `accept: text/event-stream`.',
  TOO_MANY_OPERATIONS: 'The websocket has too many operations.',
  TOO_MANY_SUBSCRIPTIONS: 'The merchant account has too many subscriptions in this process.',
  UNAUTHENTICATED: 'The request carries no valid token.',
  UNAVAILABLE:
    'The database is away or has no connection left. Try again, and repeat a mutation with the same idempotency key.',
};

/** Writes the page of error codes. */
export function errorCodesPage(): string {
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

\`errorCode\` of a transaction or an operation holds the normalised reason. An unlisted code of a provider
becomes \`other_decline\` or \`unknown_error\`. Only a decline that allows another try goes on to the next payment service. The
query \`declineCodes\` answers the same list.

${table(
  ['code', 'meaning', 'usual kind', 'another service is asked'],
  listDeclineCodes().map(({ code: value, description, kind, goesOn }) => [
    code(value),
    description,
    kind === 'declined' ? 'decline' : 'technical failure',
    goesOn ? 'yes' : 'no',
  ]),
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
