import type { App, Viewer } from '../../../../app.ts';
import { notACursor, toPage, type Page, type PageRequest } from '../../../../kernel/page.ts';
import { notFound, type InvalidInput, type NotFound } from '../../../../kernel/refusal.ts';
import { ok, refuse, type Result } from '../../../../kernel/result.ts';
import { inOrderOf, isUuid } from '../../../../platform/ids.ts';
import type { ReplayJob } from './replay-job.ts';
import { endJob, findJobs, listJobs } from './replay-jobs.sql.ts';

/**
 * Lists the merchant account's replays, newest first. An endpoint's id limits the list. An unknown endpoint has none.
 */
export async function listReplayJobs(
  app: App,
  { merchantAccountId }: Viewer,
  page: PageRequest,
  webhookEndpointId: string | null | undefined,
): Promise<Result<Page<ReplayJob>, InvalidInput>> {
  if (page.cursor !== null && !isUuid(page.cursor)) return refuse(notACursor(page));
  const endpointId = webhookEndpointId ?? null;
  if (endpointId !== null && !isUuid(endpointId)) return ok(toPage<ReplayJob>(page, []));
  return ok(toPage(page, await listJobs(app.db, merchantAccountId, page, endpointId)));
}

/** Returns replays in the order of the ids. Null for an id that the merchant account does not have. */
export async function findReplayJobs(
  app: App,
  { merchantAccountId }: Viewer,
  ids: readonly string[],
): Promise<readonly (ReplayJob | null)[]> {
  return inOrderOf(ids, await findJobs(app.db, merchantAccountId, ids));
}

/**
 * Cancels a replay. Its queued deliveries are still delivered. An ended replay stays unchanged, so a repeat returns the
 * same result.
 */
export async function cancelReplayJob(
  app: App,
  viewer: Viewer,
  id: string,
): Promise<Result<ReplayJob, NotFound>> {
  await endJob(app.db, viewer.merchantAccountId, id, app.clock.now());
  const [job] = await findReplayJobs(app, viewer, [id]);
  return job ? ok(job) : refuse(notFound('replay'));
}
