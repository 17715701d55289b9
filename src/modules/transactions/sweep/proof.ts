import type { Hold } from '../hold/hold.ts';
import { LAST_ID, type Place } from './passes.ts';

/** The progress of the comparison of all payments after a restore, at one payment service. Newest payments come first. */
export type Proof = {
  /** The start of the hold, as ISO text. A later hold compares all payments again. */
  readonly hold: string;
  /** The oldest compared payment. */
  readonly place: Place;
  /** The payment that was compared last of those that changed during the hold, by their change. */
  readonly changed: Place;
  readonly compared: number;
  /** The payments that the provider did not tell, such as forgotten ones. */
  readonly untold: number;
  /** True after the oldest payment. Payments that change later are compared again. */
  readonly isDone: boolean;
};

/** Before the newest payment. A payment may be younger than the start of the hold, which another machine's clock told. */
const NEWEST: Place = { at: 'infinity', id: LAST_ID };

/** Returns the progress in a hold. An earlier hold proves nothing about this one. */
export function proofOf(former: Proof | null, { startedAt, restoredTo }: Hold): Proof {
  const hold = startedAt.toISOString();
  if (former?.hold === hold) return former;
  // Every change since the backup was made during the hold.
  const changed = { at: restoredTo.toISOString(), id: LAST_ID };
  return { hold, place: NEWEST, changed, compared: 0, untold: 0, isDone: false };
}
