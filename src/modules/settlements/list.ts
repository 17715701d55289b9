import type { z } from 'zod';
import type { App, Viewer } from '../../app.ts';
import { notACursor, toPage, type Page, type PageRequest } from '../../kernel/page.ts';
import type { InvalidInput } from '../../kernel/refusal.ts';
import { ok, refuse, type Result } from '../../kernel/result.ts';
import type { Db } from '../../platform/database/db.ts';
import { isUuid } from '../../platform/ids.ts';
import { parseInput } from '../../platform/input/validate.ts';
import { differenceFilter, payoutFilter, settlementFilter } from './filter.ts';
import { readDifferencePage, readPayoutPage, readSettlementPage } from './list.sql.ts';
import type { Settlement } from './settlement.ts';

type List = (
  app: App,
  viewer: Pick<Viewer, 'merchantAccountId'>,
  page: PageRequest,
  given: unknown,
) => Promise<Result<Page<Settlement>, InvalidInput>>;

/** Returns a list of the merchant account's entries that meet every given filter, newest first. */
const listBy =
  <Filter extends z.ZodType>(
    filterSchema: Filter,
    read: (
      db: Db,
      merchantAccountId: string,
      page: PageRequest,
      filter: z.output<Filter>,
    ) => Promise<readonly Settlement[]>,
  ): List =>
  async (app, { merchantAccountId }, page, given) => {
    if (page.cursor !== null && !isUuid(page.cursor)) return refuse(notACursor(page));
    const filter = parseInput(filterSchema, given ?? {}, 'filter');
    if (!filter.ok) return filter;
    return ok(toPage(page, await read(app.db, merchantAccountId, page, filter.value)));
  };

/** Returns a page of entries, newest first. Refuses a filter that breaks a limit, and an empty list. */
export const listSettlements = listBy(settlementFilter, readSettlementPage);

/** Returns a page of payouts, under the rules of `listSettlements`. */
export const listPayouts = listBy(payoutFilter, readPayoutPage);

/** Returns a page of entries with a difference, under the rules of `listSettlements`. */
export const listSettlementDifferences = listBy(differenceFilter, readDifferencePage);
