import type { Hold } from '../hold/hold.ts';
import { LAST_ID, type Place } from './passes.ts';

/** The progress of the comparison of all payments after a restore, at one payment service. Newest payments come first. */
export type Proof = {
  /** The start of the hold, as ISO text. A later hold compares all payments again. */
  readonly hold: string;
  /** The oldest compared payment. */
  readonly place: Place;
  readonly compared: number;
  /** The payments that the provider did not tell, such as forgotten ones. */
  readonly untold: number;
  readonly isDone: boolean;
};

/** Before the newest payment. A payment may be younger than the start of the hold, which another machine's clock told. */
const NEWEST: Place = { at: 'infinity', id: LAST_ID };

/** Returns the progress in a hold. An earlier hold proves nothing about this one. */
export function proofOf(former: Proof | null, { startedAt }: Pick<Hold, 'startedAt'>): Proof {
  const hold = startedAt.toISOString();
  if (former?.hold === hold) return former;
  return { hold, place: NEWEST, compared: 0, untold: 0, isDone: false };
}
