import type { Judgement } from './growth.ts';
import { biggerProcesses, type MemoryGrowth } from './memory-growth.ts';

/** The answer to whether everything is flat. */
export type Verdict = 'yes' | 'no' | 'too early';

/** Any growth is a no. A yes needs all tables compared, and the memory of one process at least. */
export function verdictOf(
  { growths, compared, tooEarly }: Judgement,
  memory: readonly (MemoryGrowth | null)[],
): Verdict {
  const judged = memory.filter((each) => each !== null);
  if (growths.length > 0 || judged.some(({ isFlat }) => !isFlat) || biggerProcesses(memory).length > 0)
    return 'no';
  return compared === 0 || tooEarly.length > 0 || judged.length === 0 ? 'too early' : 'yes';
}

const CODES: Readonly<Record<Verdict, number>> = { yes: 0, no: 1, 'too early': 3 };

/** Returns the code with which a soak ends. */
export function exitCodeOf(verdicts: readonly Verdict[]): number {
  if (verdicts.includes('no')) return CODES.no;
  return verdicts.includes('too early') ? CODES['too early'] : CODES.yes;
}
