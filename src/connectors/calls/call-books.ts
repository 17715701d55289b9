import type { Log } from '../../platform/log.ts';
import {
  booksDisputeKeyOf,
  booksKeyOf,
  type BooksRequest,
  type FoundPayment,
  type PaymentOfRequest,
  type ProviderBooks,
} from '../notices/books.ts';
import { answerOrUnknown } from './call.ts';
import type { CallContext } from '../interface/call-context.ts';
import type { Connector } from '../interface/connector.ts';
import type { Unknown } from '../interface/outcome.ts';
import { secretFieldsOf, tidyDisputeNotice, tidyNotice } from '../reading/read-webhook.ts';
import { isStorable } from '../reading/words.ts';

/** The most operations of a payment that one look-up tells. */
export const BOOKS_NOTICES_MAX = 500;

/**
 * Reads a payment as its provider keeps it. Moves no money, and never throws.
 *
 * - Null: the provider does not know the payment. Null alone proves nothing.
 * - `unknown`: no answer before the deadline, or an operation that cannot be stored or found.
 * - The notices are clean, as those of `readWebhook` are.
 *
 * The connector needs the verb `readBooks`.
 */
export async function callBooks(
  connector: Connector,
  context: CallContext,
  log: Log,
  request: BooksRequest,
): Promise<ProviderBooks | Unknown | null> {
  const verb = 'read_books';
  const answer = await answerOrUnknown(connector, context, log, { verb }, async () =>
    connector.readBooks ? connector.readBooks(context, request) : lacking(connector, verb),
  );
  if (answer === null) return null;
  const read = answer.kind === 'unknown' ? answer : tidyBooks(connector, context, answer);
  if (read.kind === 'unknown')
    log.warn({ connector: connector.id, verb, cause: read.cause }, 'The books were not read.');
  return read;
}

function tidyBooks(
  connector: Connector,
  context: CallContext,
  books: ProviderBooks,
): ProviderBooks | Unknown {
  const secrets = secretFieldsOf(connector, context.credentials);
  const notices = books.notices.flatMap(
    (notice) => tidyNotice({ ...notice, eventKey: booksKeyOf(notice) }, secrets) ?? [],
  );
  const told = books.disputes ?? [];
  const disputes = told.flatMap(
    (notice) => tidyDisputeNotice({ ...notice, eventKey: booksDisputeKeyOf(notice) }, secrets) ?? [],
  );
  const count = notices.length + disputes.length;
  // A look-up that leaves an operation out would make a wrong picture.
  const isWhole = count === books.notices.length + told.length && count <= BOOKS_NOTICES_MAX;
  return isWhole ? { ...books, notices, ...(books.disputes && { disputes }) } : UNREADABLE;
}

/**
 * Asks a provider for the payment of a capture. Moves no money, and never throws. Null if the provider does not know the
 * capture. The connector needs the verb `paymentOf`.
 */
export async function callPaymentOf(
  connector: Connector,
  context: CallContext,
  log: Log,
  request: PaymentOfRequest,
): Promise<FoundPayment | Unknown | null> {
  const verb = 'payment_of';
  const answer = await answerOrUnknown(connector, context, log, { verb }, async () =>
    connector.paymentOf ? connector.paymentOf(context, request) : lacking(connector, verb),
  );
  return answer?.kind === 'found' && !isStorable(answer.reference) ? UNREADABLE : answer;
}

const UNREADABLE: Unknown = { kind: 'unknown', cause: 'unreadable' };

function lacking({ id }: Connector, verb: string): never {
  throw new Error(`The connector ${id} lacks the verb ${verb}.`);
}
