import type { App, Viewer } from '../../../app.ts';
import { notACursor, toPage, type Page, type PageRequest } from '../../../kernel/page.ts';
import type { InvalidInput } from '../../../kernel/refusal.ts';
import { ok, refuse, type Result } from '../../../kernel/result.ts';
import { isUuid } from '../../../platform/ids.ts';
import { listActivations, listRuleSets, listValueSets, listVersionHeads } from '../store.ts';
import type { ValueSet } from '../model/value-set.ts';
import type { Activation, RuleSet, VersionHead } from '../model/rule-set.ts';

type Listed<Item> = Promise<Result<Page<Item>, InvalidInput>>;

/** Lists the merchant account's rule sets, newest first. */
export const listRoutingRuleSets = (
  app: App,
  { merchantAccountId }: Viewer,
  page: PageRequest,
): Listed<RuleSet> => read(page, () => listRuleSets(app.db, merchantAccountId, page));

/** Lists the versions of a rule set without their rules, newest first. An unknown rule set has none. */
export const listRoutingRuleSetVersions = (
  app: App,
  { merchantAccountId }: Viewer,
  ruleSetId: string,
  page: PageRequest,
): Listed<VersionHead> =>
  read(page, async () =>
    isUuid(ruleSetId) ? await listVersionHeads(app.db, { merchantAccountId, id: ruleSetId }, page) : [],
  );

/** Lists the merchant account's activations, newest first, planned ones included. */
export const listRoutingActivations = (
  app: App,
  { merchantAccountId }: Viewer,
  page: PageRequest,
): Listed<Activation> => read(page, () => listActivations(app.db, merchantAccountId, page));

/** Lists the merchant account's value sets, newest first. */
export const listRoutingValueSets = (
  app: App,
  { merchantAccountId }: Viewer,
  page: PageRequest,
): Listed<ValueSet> => read(page, () => listValueSets(app.db, merchantAccountId, page));

async function read<Item>(page: PageRequest, rows: () => Promise<readonly Item[]>): Listed<Item> {
  if (page.cursor !== null && !isUuid(page.cursor)) return refuse(notACursor(page));
  return ok(toPage(page, await rows()));
}
