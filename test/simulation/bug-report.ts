import type { Bug } from './bug.ts';
import { bugs } from './bugs.ts';
import { CAUGHT_WITHIN, hunt, playKept } from './hunt.ts';
import { table } from './report.ts';

/** The result of the hunt for every bug. `fine` is true when all results are as expected. */
export type BugReport = { readonly fine: boolean; readonly text: string };

/** Hunts each bug. Replays the races with the database's constraints kept. Calls `tell` after each. */
export async function reportBugs(tell: (line: string) => void): Promise<BugReport> {
  let fine = true;
  const caught: (readonly string[])[] = [];
  for (const bug of bugs) {
    const found = await hunt(bug);
    fine &&= found !== null;
    caught.push([bug.name, found ? String(found.history.plan.index) : 'not caught', bug.shows, shortOf(bug)]);
    tell(`${bug.name}: ${found ? `history ${found.history.plan.index}` : 'not caught'}`);
  }
  const kept: (readonly string[])[] = [];
  for (const bug of bugs.filter(({ race }) => race)) {
    const { run, wrong } = await playKept(bug, CAUGHT_WITHIN);
    fine &&= wrong.length === 0 || bug.race === 'rarer';
    kept.push([bug.name, String(run.next - run.from), String(wrong.length)]);
    tell(`${bug.name}, constraints kept: ${wrong.length} wrong`);
  }
  const text = [
    table(['bug', 'caught by history', 'as', ''], caught),
    '## With the constraints of the database kept',
    KEPT,
    table(['bug', 'histories', 'money or ledger wrong'], kept),
  ].join('\n\n');
  return { fine, text };
}

/** The constraints know rows, and no time. */
const KEPT =
  'The constraints stop a second booking of an operation. They cannot stop another outcome that is written later, or a decision on an old version of a payment.';

const shortOf = ({ race, seed = 1 }: Bug): string =>
  [`seed ${seed}`, ...(race ? ['constraints dropped'] : [])].join(', ');

/** Returns the committed table, with the command that regenerates it. */
export const bugReportFile = ({ text }: BugReport): string => `# The seeded bugs

\`npm run simulate -- --bugs --report\`

Each mistake is seeded from outside. Histories are played until one reveals the mistake, at most ${CAUGHT_WITHIN}.

${text}
`;
