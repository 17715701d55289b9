/** A stored webhook, as far as the order of webhooks goes. */
export type Received = { readonly id: string; readonly receivedAt: Date };

/** The result of a run: `behind` if an older webhook goes first. The webhook is parked then. */
export type Applied = 'behind' | 'done';

/** Waits for work that finds no older webhook before its own. */
export async function done(work: Promise<void>): Promise<Applied> {
  await work;
  return 'done';
}

type Waiting<Stored> = { readonly webhook: Stored; readonly leave: () => void };

/**
 * Creates lanes within this process. Webhooks of one lane run one after the other, the oldest first. Lanes run at once. A webhook
 * can enter its lane before an older one, and then finds that it is behind. It runs again after the older webhook.
 * The promise resolves after the last run. `run` never throws.
 */
export function createTurns<Stored extends Received>(
  run: (webhook: Stored) => Promise<Applied>,
): (name: string, webhook: Stored) => Promise<void> {
  const lanes = new Map<string, Waiting<Stored>[]>();
  const work = async (name: string, waiting: Waiting<Stored>[]): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const applied = await run(next.webhook);
      if (applied === 'behind' && isOlder(waiting[0]?.webhook, next.webhook)) enter(waiting, next);
      else next.leave();
    }
    lanes.delete(name);
  };
  return (name, webhook) =>
    new Promise((leave) => {
      const known = lanes.get(name);
      if (known) return enter(known, { webhook, leave });
      const waiting = [{ webhook, leave }];
      lanes.set(name, waiting);
      void work(name, waiting);
    });
}

/** Puts a webhook behind the older webhooks of its lane. */
function enter<Stored extends Received>(waiting: Waiting<Stored>[], next: Waiting<Stored>): void {
  const younger = waiting.findIndex(({ webhook }) => isOlder(next.webhook, webhook));
  waiting.splice(younger === -1 ? waiting.length : younger, 0, next);
}

function isOlder(one: Received | undefined, other: Received): boolean {
  const ms = (one?.receivedAt.getTime() ?? Infinity) - other.receivedAt.getTime();
  return ms < 0 || (ms === 0 && one !== undefined && one.id < other.id);
}
