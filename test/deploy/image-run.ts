import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { IMAGE, type Engine } from './image-build.ts';

/** Runs containers of the image as an operator should: nothing to write but /tmp and /data, no root, no capabilities. */
export type Containers = {
  /** Runs a command of the image, and returns standard output. */
  run(...words: readonly string[]): Promise<string>;
  /** Runs a script by the image's Node, and returns standard output. */
  evaluate(script: string): Promise<string>;
  /** Starts the service. Resolves when the service has printed its address. */
  start(name: string): Promise<Service>;
};

/** A running container of the service. */
export type Service = {
  readonly screen: () => string;
  /** Sends SIGTERM, and returns the exit code. */
  stop(): Promise<number | null>;
};

/** Debian's podman asks for more than this machine may grant. The health check is run by hand, for want of systemd. */
const MACHINE = [
  ...['--network=host', '--pull=never', '--no-healthcheck', '--rm'],
  ...['--ulimit', 'nofile=20000:20000', '--ulimit', 'nproc=10000:10000'],
];

const HARDENED = [
  '--read-only',
  '--cap-drop',
  'all',
  '--security-opt',
  'no-new-privileges',
  '--tmpfs',
  '/tmp',
];

/** Debian's crun fails where control groups of both versions are mounted. */
export const PODMAN = ['--cgroup-manager=cgroupfs', '--runtime', 'runc'];

/** Opens containers with these settings, and with a folder of the machine as /data. */
export function openContainers(
  engine: Engine,
  settings: Readonly<Record<string, string>>,
  data: string,
): Containers {
  const environment = Object.entries(settings).flatMap(([name, value]) => ['--env', `${name}=${value}`]);
  const options = [...MACHINE, ...HARDENED, '--volume', `${data}:/data`, ...environment];
  const run: Containers['run'] = (...words) =>
    engine('podman', ...PODMAN, 'run', ...options, IMAGE, ...words);
  const evaluate: Containers['evaluate'] = (script) =>
    engine('podman', ...PODMAN, 'run', ...options, '--entrypoint', 'node', IMAGE, '-e', script);
  const start = async (name: string): Promise<Service> => {
    const child = engine.spawn('podman', ...PODMAN, 'run', '--name', name, ...options, IMAGE);
    const ended = once(child, 'close').then(([code]) => code as number | null);
    const screen = await printed(child, '/graphql');
    return {
      screen,
      stop: () => {
        child.kill('SIGTERM');
        return ended;
      },
    };
  };
  return { run, evaluate, start };
}

/** Waits for a text on standard output. Throws when the program ends first. */
async function printed(child: ChildProcess, text: string): Promise<() => string> {
  let screen = '';
  await new Promise<void>((resolve, reject) => {
    const read = (chunk: Buffer): void => {
      screen += chunk.toString();
      if (screen.includes(text)) resolve();
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', read);
    child.once('exit', () => reject(new Error(`The container ended: ${screen}`)));
  });
  return () => screen;
}
