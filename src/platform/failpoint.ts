/**
 * The actions at named points, at which a test can make the process die, wait or throw. Production registers none, and
 * a point costs one look-up.
 */
const actions = new Map<string, (name: string) => void | Promise<void>>();

/** Runs the action that a test registered for a point, if any. */
export async function failpoint(name: string): Promise<void> {
  const action = actions.get(name) ?? actions.get('*');
  if (action) await action(name);
}

/**
 * Registers an action at a point, or with `*` at every point without an own action. Returns a function that removes it.
 * For tests and simulations only.
 */
export function setFailpoint(name: string, action: (name: string) => void | Promise<void>): () => void {
  actions.set(name, action);
  return () => void actions.delete(name);
}

/**
 * Registers points from configuration: `capture.claimed=kill,relay.read=hang`. `kill` ends the process at once like
 * `kill -9`. `hang` waits for ever. Refuses any other word.
 */
export function registerFailpoints(text: string): void {
  for (const entry of text.split(',').filter(Boolean)) {
    const [name = '', word] = entry.split('=');
    if (word === 'kill') setFailpoint(name, () => void process.kill(process.pid, 'SIGKILL'));
    else if (word === 'hang') setFailpoint(name, () => new Promise(() => undefined));
    else throw new Error(`Unknown failpoint action in "${entry}": use kill or hang.`);
  }
}
