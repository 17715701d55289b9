/** An event about one object, with the parts that notices need. */
export type EventOf<Resource> = {
  readonly id: string;
  readonly type: string;
  readonly occurredAt: Date | null;
  readonly resource: Resource;
};
