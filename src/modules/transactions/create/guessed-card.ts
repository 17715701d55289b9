import type { App, Viewer } from '../../../app.ts';
import { countCardFailure, refuseGuess, type TooManyCardNumbers } from '../../payment-methods/index.ts';
import type { CreateTransactionInput } from '../input/inputs.ts';
import type { Operated } from '../model/operation.ts';

type Payee = Pick<Viewer, 'merchantAccountId'>;
type Input = Pick<CreateTransactionInput, 'paymentMethod'>;

/** Counts the card number of a request, and refuses it above a limit. A stored method presents no number. */
export async function guessIn(
  app: App,
  { merchantAccountId }: Payee,
  { input, cardFingerprint: fingerprint }: { readonly input: Input; readonly cardFingerprint: string | null },
): Promise<TooManyCardNumbers | null> {
  const number = input.paymentMethod.card?.number;
  if (number === undefined || fingerprint === null) return null;
  return await refuseGuess(app, { merchantAccountId, number, fingerprint, path: NUMBER });
}

const NUMBER: readonly string[] = ['input', 'paymentMethod', 'card', 'number'];

/** Counts a card number whose payment was declined or failed. Commits once, after the payment has its outcome. */
export async function countFailed(
  app: App,
  { merchantAccountId }: Payee,
  { paymentMethod }: Input,
  { operation }: Operated,
): Promise<void> {
  const number = paymentMethod.card?.number;
  if (number === undefined || (operation.status !== 'declined' && operation.status !== 'failed')) return;
  await countCardFailure(app, { merchantAccountId, number });
}
