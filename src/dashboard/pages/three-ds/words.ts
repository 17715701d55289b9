import type { Tone } from '../../design/pieces.tsx';
import { texts } from '../../texts/texts.ts';
import type { Outcome, Rule } from './query.ts';

const { threeDS: words } = texts;

/** Writes the conditions of a rule, each as a label with its value. */
export function conditionsOf({
  conditions,
}: Pick<Rule, 'conditions'>): readonly (readonly [string, string])[] {
  const { cardNumber, amount, ...names } = conditions;
  const { condition } = words;
  const card =
    cardNumber &&
    (cardNumber.lastFour === null
      ? words.bin(cardNumber.bin)
      : words.card(cardNumber.bin, cardNumber.lastFour));
  const all = [
    [condition.emailAddress, names.emailAddress],
    [condition.cardNumber, card],
    [condition.amount, amount === null ? null : String(amount)],
    [condition.externalIdentifier, names.externalIdentifier],
    [condition.firstName, names.firstName],
    [condition.lastName, names.lastName],
  ] as const;
  return all.flatMap(([label, value]) => (value === null ? [] : [[label, value] as const]));
}

/** Names the outcome of an authentication in words. */
export function outcomeOf({ authentication, challengeResult }: Outcome): string {
  if (authentication !== 'C') return words.outcome[authentication];
  return challengeResult === null ? words.outcome.C : words.challenge[challengeResult];
}

/** Says the effect of an outcome on the payment. */
export function effectOf({ authentication, challengeResult }: Outcome): string {
  const { effect } = words;
  const end = authentication === 'C' ? (challengeResult ?? 'C') : authentication;
  switch (end) {
    case 'Y':
    case 'A':
      return effect.goesOn;
    case 'N':
    case 'R':
      return effect.declined;
    case 'C':
      return effect.asked;
    case 'U':
    case 'TIMEOUT':
      return effect.fallback;
  }
}

/** Returns the colour of an outcome. */
export function toneOf({ authentication, challengeResult }: Outcome): Tone {
  const end = authentication === 'C' ? (challengeResult ?? 'C') : authentication;
  if (end === 'Y' || end === 'A') return 'good';
  if (end === 'N' || end === 'R') return 'bad';
  return end === 'C' ? 'info' : 'wait';
}
