import { timingSafeEqual } from 'node:crypto';

/** Compares two texts in the same time whichever character differs. Only the length shows in the time. */
export function equalTexts(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
}
