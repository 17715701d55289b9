import type { NativeStepName, Payment } from './model.ts';
import type { Answer } from './refusals.ts';
import type { State } from './state.ts';

/** Asks the buyer's client for the first of the steps. The answer has no psp reference yet. */
export function askClient(state: State, payment: Payment, steps: readonly NativeStepName[]): Answer {
  const [name = 'fingerprint', ...next] = steps;
  const authorisationToken = `Ab02b4c0!${state.settings.newId()}`;
  state.steps.set(authorisationToken, { payment, name, next, isUsed: false });
  const token = Buffer.from(JSON.stringify({ threeDSMessageVersion: '2.2.0', step: name })).toString(
    'base64',
  );
  const action = {
    ...{ type: 'threeDS2', subtype: name, paymentMethodType: 'scheme', token },
    ...{ paymentData: authorisationToken, authorisationToken },
  };
  return { status: 200, body: { resultCode: RESULTS[name], action } };
}

const RESULTS = { fingerprint: 'IdentifyShopper', challenge: 'ChallengeShopper' } as const;

/** The action of an answer, as the software in the client reads it. */
export type Action = {
  readonly type: string;
  readonly subtype: NativeStepName;
  readonly token: string;
  readonly paymentData: string;
  readonly authorisationToken: string;
};

/** Plays Adyen's software in the client. Returns its result for `/payments/details`. */
export function resultOf(
  { subtype, authorisationToken }: Action,
  passes = true,
): { readonly details: { readonly threeDSResult: string } } {
  const word = passes ? 'Y' : 'N';
  const result =
    subtype === 'fingerprint'
      ? { threeDSCompInd: word, authorisationToken }
      : { transStatus: word, authorisationToken };
  return { details: { threeDSResult: encode(result) } };
}

const encode = (result: object): string => Buffer.from(JSON.stringify(result)).toString('base64');

/** A result of the client. `isPassed`: false for a challenge that the buyer failed. */
export type ClientResult = { readonly authorisationToken: string; readonly isPassed: boolean };

/** Reads a result of the client for a step. Null for a result that is not readable, or is of the other step. */
export function readResult(text: string, name: NativeStepName | null): ClientResult | null {
  try {
    const read = JSON.parse(Buffer.from(text, 'base64').toString()) as Readonly<Record<string, unknown>>;
    const { authorisationToken = '', threeDSCompInd, transStatus } = read;
    const word = name === 'challenge' ? transStatus : threeDSCompInd;
    const known = name === null || (typeof word === 'string' && /^[YNU]$/.test(word));
    return known && typeof authorisationToken === 'string'
      ? { authorisationToken, isPassed: name !== 'challenge' || transStatus === 'Y' }
      : null;
  } catch {
    return null;
  }
}
