import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** A running program with its output so far. */
export type Running = {
  readonly child: ChildProcess;
  readonly stdout: () => string;
  readonly stderr: () => string;
  /** Resolves with standard output when it holds the text. Throws when the program ends first. */
  printed(text: string): Promise<string>;
  /** Sends a signal and waits for the end. */
  end(signal: NodeJS.Signals): Promise<Ended>;
  readonly ended: Promise<Ended>;
};

/** `code` is null when a signal ended the program. */
export type Ended = { readonly code: number | null; readonly stdout: string; readonly stderr: string };

/** Settings by name. The program gets nothing else of this environment except the path to other programs. */
export type Settings = Readonly<Record<string, string>>;

/** Runs `paygraph <args>` as a separate process, with only these settings. */
export const paygraph = (args: readonly string[], settings: Settings = {}, cwd = '.'): Running =>
  run(process.execPath, [resolve('src/cli/paygraph.cjs'), ...args], settings, cwd);

/** Does the same with the version of Paygraph in a folder. */
export const paygraphOf = (folder: string, args: readonly string[], settings: Settings): Running =>
  run(process.execPath, [resolve(folder, 'src/cli/paygraph.cjs'), ...args], settings, folder);

/** Runs any program, by default in the folder of the project. */
export function run(program: string, args: readonly string[], settings: Settings, cwd = '.'): Running {
  // oxlint-disable-next-line no-restricted-properties -- what a program needs to find others
  const { PATH, HOME } = process.env;
  const child = spawn(program, args, {
    env: { PATH, HOME, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
    cwd,
  });
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
    printed: async (text) => {
      while (!stdout.includes(text)) {
        if (child.exitCode !== null || child.signalCode !== null)
          throw new Error(`It ended first: ${stderr}`);
        await delay(20);
      }
      return stdout;
    },
  };
}
