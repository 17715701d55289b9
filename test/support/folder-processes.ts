import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readlink } from 'node:fs/promises';

/**
 * Kills every process that runs in this folder or below, as the loss of its machine does. Resolves when none is left.
 *
 * Each process of Postgres has a group of its own, and none is a child of this process. All keep their working folder.
 */
export async function killProcessesIn(folder: string): Promise<void> {
  for (;;) {
    const found = await processesIn(folder);
    if (found.length === 0) return;
    for (const pid of found) send(pid, 'SIGKILL');
    await new Promise(setImmediate);
  }
}

/** Stops every process that runs in this folder or below. Their connections stay open, and nobody answers. */
export async function freezeProcessesIn(folder: string): Promise<void> {
  for (const pid of await processesIn(folder)) send(pid, 'SIGSTOP');
  // Some may have started before their parents stopped.
  for (const pid of await processesIn(folder)) send(pid, 'SIGSTOP');
}

async function processesIn(folder: string): Promise<readonly number[]> {
  const names = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(
    names.map(async (name) => {
      // A process of another user, and one that has ended, have no folder here.
      const place = await readlink(`/proc/${name}/cwd`).catch(() => '');
      return place === folder || place.startsWith(`${folder}/`) ? [Number(name)] : [];
    }),
  );
  return found.flat();
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // The process has ended by itself.
  }
}

/**
 * Starts a process that waits for the end of this process. Then all processes in the folder end, and the folder goes. So a killed
 * run leaves nothing behind. The returned function does both at once.
 */
export function endFolderWithUs(folder: string): () => Promise<void> {
  // A manager may start one more process while the first ones are killed.
  const script = `cat
    for round in 1 2 3; do
      for place in /proc/[0-9]*/cwd; do
        case "$(readlink "$place")/" in "$1"/*) pid="\${place#/proc/}"; kill -KILL "\${pid%/cwd}" ;; esac
      done
    done
    rm -rf "$1"`;
  const watcher = spawn('sh', ['-c', script, 'sh', folder], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
    cwd: '/',
  });
  const ended = once(watcher, 'exit');
  watcher.unref();
  return async () => {
    watcher.ref();
    watcher.stdin.end();
    await ended;
  };
}
