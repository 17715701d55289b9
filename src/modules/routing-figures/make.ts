import type { App } from '../../app.ts';
import { comparesCosts, countFigures, periodsOf, type Figures, type Rule } from '../routing/index.ts';
import { readSettledFees } from '../settlements/index.ts';
import { readPastOutcomes } from '../transactions/index.ts';

/**
 * Counts the past of a merchant account's services, as far as the rules compare it. Reads at most 50,000 payments and 20,000 settled
 * charges, the latest ones, in two statements. Stores nothing.
 */
export async function makeFigures(
  app: App,
  merchantAccountId: string,
  { rules, at }: { readonly rules: readonly Rule[]; readonly at: Date },
): Promise<Figures> {
  const periods = periodsOf(rules);
  const asked = { account: merchantAccountId, at };
  const outcomes = await readPastOutcomes(app.db, { ...asked, periods });
  const fees = comparesCosts(rules) ? await readSettledFees(app.db, asked) : [];
  return { id: app.ids.uuid(), madeAt: at.toISOString(), ...countFigures({ periods, outcomes, fees }) };
}
