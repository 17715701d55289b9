/** An event about one object, with the parts that notices need. */
export type EventOf<Subject> = {
  readonly id: string;
  readonly occurredAt: Date;
  readonly object: Subject;
  /** The status before the event, if the event names one. */
  readonly previousStatus: unknown;
  /** The key of the request that caused the event. */
  readonly idempotencyKey: string | null;
};
