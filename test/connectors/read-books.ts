import type { CallContext } from '../../src/connectors/interface/call-context.ts';
import { callBooks } from '../../src/connectors/calls/call-books.ts';
import type { Connector } from '../../src/connectors/interface/connector.ts';
import type { ProviderBooks } from '../../src/connectors/notices/books.ts';
import { isOperationNotice, type Notice, type WebhookNotice } from '../../src/connectors/notices/webhook.ts';
import type { Log } from '../../src/platform/log.ts';

/** The parts of a notice that name an operation and its money. A look-up and a webhook have the same. */
export type Fact = Pick<Notice, 'verb' | 'key' | 'reference' | 'paymentReference' | 'total' | 'final'> & {
  readonly kind: Notice['outcome']['kind'];
  readonly amount: number | null;
  readonly capture: string | null;
};

export const factOf = ({
  verb,
  key,
  reference,
  paymentReference,
  total,
  final,
  ...notice
}: Notice): Fact => ({
  ...{ verb, key, reference, paymentReference, kind: notice.outcome.kind },
  amount: 'money' in notice.outcome ? (notice.outcome.money?.amount ?? null) : null,
  capture: notice.captureReference ?? null,
  ...(total && { total }),
  ...(final !== undefined && { final }),
});

/** Returns the facts of the notices about operations, each once. */
export const factsOf = (notices: readonly WebhookNotice[]): readonly Fact[] => {
  const facts = notices.flatMap((notice) => (isOperationNotice(notice) ? [factOf(notice)] : []));
  return facts.filter((fact, index) => facts.findIndex((other) => isSame(fact, other)) === index);
};

const isSame = (one: Fact, other: Fact): boolean => JSON.stringify(one) === JSON.stringify(other);

/** Reads the books of a payment as the core does. Throws if they are not known. */
export async function booksOf(
  connector: Connector,
  context: CallContext,
  log: Log,
  reference: string,
): Promise<ProviderBooks> {
  const request = { reference, createdAt: new Date(0), currency: 'USD' };
  const books = await callBooks(connector, context, log, request);
  if (books?.kind !== 'books') throw new Error(JSON.stringify(books));
  return books;
}
