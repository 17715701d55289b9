import type { DifferenceNotAdoptable, DifferenceNotOpen } from '../../modules/transactions/index.ts';

/** Returns the sentence of a refusal to end a difference, with the remedy. */
export const differenceSentence = (refusal: DifferenceNotAdoptable | DifferenceNotOpen): string =>
  refusal.kind === 'DifferenceNotAdoptable' ? NOT_ADOPTABLE : ended(refusal.state);

const ended = (state: string): string =>
  `The difference has ended: its state is ${state.toUpperCase()}. Only an open difference can be adopted or dismissed.`;

const NOT_ADOPTABLE =
  'The report cannot be booked on this payment. Compare the payment with the provider, and end the difference with dismissDifference.';
