import { EXIT } from './exit-code.ts';

/**
 * The time after the first signal in which a second one counts as the same. The terminal sends Ctrl-C to npm and to
 * this process. npm then passes it on.
 */
const SAME_SIGNAL_MS = 500;

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** A signal to end. */
export type EndSignal = (typeof SIGNALS)[number];

/** Resolves at the first signal to end. The next signal ends the process at once. */
export function firstSignal(): Promise<EndSignal> {
  process.removeListener('SIGINT', sayGoodbye);
  return new Promise((resolve) => {
    let firstAt: number | null = null;
    const onSignal = (signal: EndSignal): void => {
      firstAt ??= performance.now();
      if (performance.now() - firstAt > SAME_SIGNAL_MS) process.exit(EXIT.failed);
      resolve(signal);
    };
    for (const signal of SIGNALS) process.on(signal, onSignal);
  });
}

/** Ends a command that Ctrl-C interrupts, with a word instead of silence. A command with an end of its own waits for `firstSignal`. */
export const sayGoodbyeOnInterrupt = (): void => void process.on('SIGINT', sayGoodbye);

function sayGoodbye(): never {
  sayStopped('SIGINT');
}

/** Ends the process before its work was done, with a word. Only Ctrl-C is an interruption: a stopped service is no fault. */
export function sayStopped(signal: EndSignal): never {
  process.stderr.write('\nStopped before the end.\n');
  process.exit(signal === 'SIGINT' ? EXIT.interrupted : EXIT.done);
}
