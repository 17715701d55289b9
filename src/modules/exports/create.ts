import type { App, Viewer } from '../../app.ts';
import { invalidInput, type IdempotencyRefusal, type InvalidInput } from '../../kernel/refusal.ts';
import { ok, refuse, type Result } from '../../kernel/result.ts';
import { parseInput } from '../../platform/input/validate.ts';
import { createOrRefuse, refuseKey } from '../idempotency/index.ts';
import {
  exportFromJson,
  exportToJson,
  type Export,
  type ExportFormat,
  type ExportType,
  type GivenFilter,
} from './export.ts';
import { exportInput, FILTERS } from './input.ts';
import { insertExport } from './store.ts';

export type CreateExportInput = {
  readonly type: ExportType;
  readonly format: ExportFormat;
  readonly byteOrderMark?: boolean | null | undefined;
  readonly filter?: Readonly<Record<string, unknown>> | null | undefined;
};

/** The most unfinished exports of a merchant account. Exports take turns, so more would only wait. */
const UNFINISHED_MAX = 10;

/**
 * Starts a file of records. The worker writes the file. Commits once: the export and the record of the idempotency key.
 *
 * Refuses an eleventh unfinished export, conditions of another type or out of bounds, and a byte order mark for NDJSON.
 * The caller has checked the scope that reads the records.
 */
export async function createExport(
  app: App,
  { merchantAccountId }: Viewer,
  given: CreateExportInput,
  idempotencyKey: string | null | undefined,
): Promise<
  Result<{ readonly export: Export; readonly replayed: boolean }, InvalidInput | IdempotencyRefusal>
> {
  const badKey = refuseKey(idempotencyKey);
  if (badKey) return refuse(badKey);
  const parsed = parseInput(exportInput, given);
  if (!parsed.ok) return parsed;
  const now = app.clock.now();
  const once = {
    ...{ merchantAccountId, operation: 'createExport', key: idempotencyKey, now },
    input: { input: parsed.value },
  };
  const created = await createOrRefuse(app.db, once, async (tx) => {
    const wanted: Export = {
      ...{ merchantAccountId, id: app.ids.uuid(), type: given.type, format: given.format },
      byteOrderMark: given.byteOrderMark ?? false,
      ...{ status: 'pending', rowsWritten: 0, bytes: 0, failureReason: null },
      ...{ createdAt: now, startedAt: null, endedAt: null, expiresAt: null },
    };
    // The lists check the conditions again, so the given form is stored.
    const filter = given.filter?.[FILTERS[given.type]] ?? {};
    const isRoom = await insertExport(tx, wanted, filter as GivenFilter, UNFINISHED_MAX);
    return isRoom ? ok(exportToJson(wanted)) : refuse(TOO_MANY);
  });
  if (!created.ok) return created;
  const { value, replayed } = created.value;
  return ok({ export: exportFromJson(value), replayed });
}

const TOO_MANY = invalidInput(
  ['input'],
  `${UNFINISHED_MAX} exports of this merchant account are unfinished. Wait until one of them has ended.`,
);
