export const EXPORT_TYPES = ['transactions', 'ledger', 'settlements', 'events', 'audit_log'] as const;
export type ExportType = (typeof EXPORT_TYPES)[number];

export const EXPORT_FORMATS = ['csv', 'ndjson'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

export type ExportStatus = 'pending' | 'running' | 'succeeded' | 'failed' | 'expired';

/**
 * The cause of a failed export.
 *
 * - `records_removed`: retention removed events that were not read yet.
 * - `internal_error`: several attempts failed.
 */
export type ExportFailure = 'records_removed' | 'internal_error';

/** A file of records that a merchant asked for. */
export type Export = {
  readonly merchantAccountId: string;
  readonly id: string;
  readonly type: ExportType;
  readonly format: ExportFormat;
  /** True if a CSV file begins with the byte order mark of UTF-8. */
  readonly byteOrderMark: boolean;
  readonly status: ExportStatus;
  readonly rowsWritten: number;
  /** The size of the file so far. */
  readonly bytes: number;
  /** Null unless the export failed. */
  readonly failureReason: ExportFailure | null;
  /** Only records up to this moment are in the file. */
  readonly createdAt: Date;
  readonly startedAt: Date | null;
  readonly endedAt: Date | null;
  /** The end of the file. Null without a file. */
  readonly expiresAt: Date | null;
};

/** The form in the record of an idempotency key. A new export has no other moments. */
export type ExportJson = Omit<Export, 'createdAt' | 'byteOrderMark'> & {
  readonly createdAt: string;
  /** Absent in records of earlier releases. */
  readonly byteOrderMark?: boolean;
};

export const exportToJson = (wanted: Export): ExportJson => ({
  ...wanted,
  createdAt: wanted.createdAt.toISOString(),
});

export const exportFromJson = (json: ExportJson): Export => ({
  ...json,
  byteOrderMark: json.byteOrderMark ?? false,
  createdAt: new Date(json.createdAt),
});

/** The conditions of an export, as the caller gave them. */
export type GivenFilter = Readonly<Record<string, unknown>>;

/** The conditions that are moments. Their stored form is text. */
const MOMENTS: ReadonlySet<string> = new Set([
  ...['createdAtGte', 'createdAtLte', 'updatedAtGte', 'updatedAtLte', 'from', 'to'],
]);

/** Reads stored conditions. */
export const filterFromJson = (text: string): GivenFilter =>
  Object.fromEntries(
    Object.entries(JSON.parse(text) as GivenFilter).map(([name, value]) => [
      name,
      MOMENTS.has(name) && typeof value === 'string' ? new Date(value) : value,
    ]),
  );
