import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';

/** A program that runs, with what it has said so far. */
export type Running = {
  readonly child: ChildProcess;
  readonly stdout: () => string;
  readonly stderr: () => string;
  /** Resolves with standard output once it holds the text; throws when the program ends first. */
  said(text: string): Promise<string>;
  /** Sends a signal and waits for the end. */
  end(signal: NodeJS.Signals): Promise<Ended>;
  readonly ended: Promise<Ended>;
};

/** `code` is null when a signal ended it. */
export type Ended = { readonly code: number | null; readonly stdout: string; readonly stderr: string };

/** Settings by name; nothing else of our own environment reaches the program, but for the way to other programs. */
export type Settings = Readonly<Record<string, string>>;

/** `paygraph <args>` as a process of its own, with nothing but these settings. */
export const paygraph = (args: readonly string[], settings: Settings = {}): Running =>
  run(process.execPath, ['src/cli/main.ts', ...args], settings);

/** Any program, in the folder of the project. */
export function run(program: string, args: readonly string[], settings: Settings): Running {
  // eslint-disable-next-line no-restricted-properties -- what a program needs to find others
  const { PATH, HOME } = process.env;
  const child = spawn(program, args, { env: { PATH, HOME, ...settings }, stdio: ['ignore', 'pipe', 'pipe'] });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, stdout, stderr }));
  return {
    child,
    stdout: () => stdout,
    stderr: () => stderr,
    ended,
    end: (signal) => {
      child.kill(signal);
      return ended;
    },
    said: async (text) => {
      while (!stdout.includes(text)) {
        if (child.exitCode !== null || child.signalCode !== null)
          throw new Error(`It ended first: ${stderr}`);
        await delay(20);
      }
      return stdout;
    },
  };
}
