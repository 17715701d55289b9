import type { Outcome } from '../../../../../src/connectors/interface/outcome.ts';
import type {
  AuthorizeRequest,
  CancelRequest,
  CaptureRequest,
  FollowUpRequest,
  LookupRequest,
  RefundRequest,
} from '../../../../../src/connectors/interface/requests.ts';
import type { Money } from '../../../../../src/kernel/money.ts';
import { unwritten } from './unwritten.ts';

/** A request below the provider's host. `amount`: in the provider's minor units. */
export type Posted = { readonly path: string; readonly body: object };

/** Words a payment. The operation's id is the provider's reference, so that webhooks can name the operation. */
export const paymentToWire = (request: AuthorizeRequest, amount: number): Posted =>
  unwritten('paymentToWire in wire.ts', "the path and the fields of the provider's payment", request, amount);

export const captureToWire = (request: CaptureRequest, amount: number): Posted =>
  unwritten('captureToWire in wire.ts', 'the path and the fields of a capture', request, amount);

export const refundToWire = (request: RefundRequest, amount: number): Posted =>
  unwritten('refundToWire in wire.ts', 'the path and the fields of a refund', request, amount);

export const voidToWire = (request: FollowUpRequest): Posted =>
  unwritten('voidToWire in wire.ts', 'the path and the fields that release an authorisation', request);

export const cancelToWire = (request: CancelRequest): Posted =>
  unwritten(
    'cancelToWire in wire.ts',
    'the path and the fields that end a payment by the key of its authorisation',
    request,
  );

/** Returns the path and the query of a look-up. */
export const lookupToPath = (request: LookupRequest): string =>
  unwritten('lookupToPath in wire.ts', 'the path that reads an operation by its key', request);

/** Reads a look-up. Null if the provider does not know the operation. */
export const outcomeOfLookup = (answer: unknown, request: LookupRequest): Outcome | null =>
  unwritten('outcomeOfLookup in wire.ts', 'the outcome of a look-up by its status', answer, request);

/**
 * Reads an answer without an error. Only an explicit approval is `succeeded`, with the money that the answer names. An
 * unknown word is `unknown`.
 */
export const outcomeOfAnswer = (answer: unknown, asked: Money): Outcome =>
  unwritten('outcomeOfAnswer in wire.ts', 'the outcome of an answer by its status', answer, asked);

/** Reads the body of an error. Null for another body. */
export const errorOf = (body: unknown): { readonly code: string; readonly message: string | null } | null =>
  unwritten('errorOf in wire.ts', 'the code and the message of an error', body);
