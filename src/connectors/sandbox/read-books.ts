import { z } from 'zod';
import {
  AMOUNT_MAX,
  isOperationNotice,
  type BooksRequest,
  type ProviderBooks,
  type CallContext,
  type Unknown,
} from '../door.ts';
import { exchange } from './exchange.ts';
import { readSandboxEvent } from './webhook.ts';

/** A question about a payment to the sandbox provider, in the provider's format. */
export type BooksQuestion = {
  readonly operation: 'books';
  readonly payment_id: string;
  readonly currency: string;
};

/** The provider's answer. `events` are the bodies of webhooks that tell every operation of the payment. */
export type BooksAnswer =
  | { readonly result: 'not_found' }
  | {
      readonly result: 'found';
      readonly state: ProviderBooks['state'];
      readonly authorized: number | null;
      readonly currency: string;
      readonly events: readonly object[];
    };

const found = z.object({
  result: z.literal('found'),
  state: z.enum(['pending', 'open', 'closed', 'voided', 'expired', 'refused']),
  authorized: z.int().min(0).max(AMOUNT_MAX).nullable(),
  currency: z.string().regex(/^[A-Z]{3}$/),
  events: z.array(z.unknown()),
});

const notFound = z.object({ result: z.literal('not_found') });

/** Reads a payment of the merchant's own simulator. The built-in provider keeps no payments, so the answer is null. */
export async function readSandboxBooks(
  context: CallContext,
  { reference, currency }: BooksRequest,
): Promise<ProviderBooks | Unknown | null> {
  const { api_url: url } = context.credentials;
  if (!url) return null;
  const question: BooksQuestion = { operation: 'books', payment_id: reference, currency };
  const exchanged = await exchange(context, url, question);
  if ('unknown' in exchanged) return { kind: 'unknown', cause: exchanged.unknown.cause };
  return notFound.safeParse(exchanged.answer).success
    ? null
    : (booksFromWire(exchanged.answer) ?? UNREADABLE);
}

const UNREADABLE: Unknown = { kind: 'unknown', cause: 'unreadable' };

/** Maps the provider's answer. Null for an undocumented answer, or for an event that is not readable. */
function booksFromWire(given: unknown): ProviderBooks | null {
  const answer = found.safeParse(given).data;
  if (!answer) return null;
  const read = answer.events.map((event) => readSandboxEvent(event));
  if (!read.every((each) => each.ok)) return null;
  const { state, authorized: amount, currency } = answer;
  const notices = read.flatMap(({ value }) => value);
  return {
    ...{ kind: 'books', state, authorized: amount === null ? null : { amount, currency } },
    notices: notices.filter(isOperationNotice),
  };
}
