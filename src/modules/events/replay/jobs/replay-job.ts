export const REPLAY_SCOPES = ['all', 'failed', 'missing'] as const;
export type ReplayScope = (typeof REPLAY_SCOPES)[number];
export type ReplayJobState = 'running' | 'done' | 'cancelled';

/** A job that delivers a range of the feed to one endpoint again, or for the first time. */
export type ReplayJob = {
  readonly merchantAccountId: string;
  readonly id: string;
  readonly webhookEndpointId: string;
  readonly scope: ReplayScope;
  readonly state: ReplayJobState;
  /** The first and the last sequence of the range. In an empty range, the last is one less than the first. */
  readonly fromSequence: bigint;
  readonly untilSequence: bigint;
  /** The last sequence that has been processed. */
  readonly doneSequence: bigint;
  readonly queuedCount: number;
  readonly createdAt: Date;
  /** Null while the job runs. */
  readonly endedAt: Date | null;
};

/** Returns the number of events in the range: the most that are queued. */
export const totalOf = ({ fromSequence, untilSequence }: ReplayJob): bigint =>
  untilSequence - fromSequence + 1n;

/** Returns the processed fraction of the range, 0 to 1. */
export function progressOf(job: ReplayJob): number {
  const total = totalOf(job);
  return total === 0n ? 1 : Number(job.doneSequence - job.fromSequence + 1n) / Number(total);
}

/** The form in the record of an idempotency key. */
export type ReplayJobJson = {
  readonly [Key in keyof ReplayJob]: ReplayJob[Key] extends bigint | Date
    ? string
    : ReplayJob[Key] extends Date | null
      ? string | null
      : ReplayJob[Key];
};

export const jobToJson = (job: ReplayJob): ReplayJobJson => ({
  ...job,
  fromSequence: String(job.fromSequence),
  untilSequence: String(job.untilSequence),
  doneSequence: String(job.doneSequence),
  createdAt: job.createdAt.toISOString(),
  endedAt: job.endedAt?.toISOString() ?? null,
});

export const jobFromJson = (json: ReplayJobJson): ReplayJob => ({
  ...json,
  fromSequence: BigInt(json.fromSequence),
  untilSequence: BigInt(json.untilSequence),
  doneSequence: BigInt(json.doneSequence),
  createdAt: new Date(json.createdAt),
  endedAt: json.endedAt === null ? null : new Date(json.endedAt),
});
