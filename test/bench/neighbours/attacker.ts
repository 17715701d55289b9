import { serve } from '../child.ts';
import { ATTACKS, type AttackName, type Target } from './attacks.ts';

// A process that attacks a service until it is told to stop.

let running: { readonly controller: AbortController; readonly ended: Promise<void> } | null = null;
let count = 0;

serve({
  start: ({ name, target }: { readonly name: AttackName; readonly target: Target }) => {
    const controller = new AbortController();
    count = 0;
    const ended = ATTACKS[name](target, () => void (count += 1), controller.signal);
    running = { controller, ended };
  },
  count: () => count,
  /** Ends the attack. Throws the error that ended the attack before. */
  stop: async () => {
    running?.controller.abort();
    await running?.ended;
  },
});
