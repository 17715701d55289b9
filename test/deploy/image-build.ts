import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { chmod, cp, mkdir, realpath, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const execute = promisify(execFile);

export const IMAGE = 'localhost/paygraph:test';
const NODE_IMAGE = 'localhost/node:test';

/** Runs buildah or podman on a store of its own. */
export type Engine = {
  /** Runs a command, and returns standard output. */
  (program: 'buildah' | 'podman', ...args: readonly string[]): Promise<string>;
  /** Starts a command that goes on. */
  spawn(program: 'podman', ...args: readonly string[]): ChildProcess;
};

/** Opens a store of images below a folder. No image of the machine is seen or changed. */
export async function openEngine(folder: string): Promise<Engine> {
  const settings = join(folder, 'storage.conf');
  const lines = ['[storage]', 'driver = "overlay"'];
  const places = [`graphroot = "${join(folder, 'images')}"`, `runroot = "${join(folder, 'running')}"`];
  await writeFile(settings, `${[...lines, ...places].join('\n')}\n`);
  const env = {
    // oxlint-disable-next-line no-restricted-properties -- the programs need what every program needs
    ...process.env,
    CONTAINERS_STORAGE_CONF: settings,
    STORAGE_DRIVER: 'overlay',
    BUILDAH_ISOLATION: 'chroot',
  };
  const run = async (program: string, ...args: readonly string[]): Promise<string> =>
    (await execute(program, args, { env, maxBuffer: 64_000_000 })).stdout.trim();
  return Object.assign(run, {
    spawn: (program: string, ...args: readonly string[]) =>
      spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'] }),
  });
}

/**
 * Builds the image of the Dockerfile. Its first two stages install packages and compile, which takes minutes. They are
 * replaced by the same files from this clone.
 */
export async function buildImage(engine: Engine, scratch: string): Promise<void> {
  const [source, packages] = [join(scratch, 'source'), join(scratch, 'packages')];
  await Promise.all([buildSource(join(source, 'source')), installPackages(join(packages, 'source'))]);
  await buildNodeImage(engine, join(scratch, 'node'));
  const contexts = [`source=${source}`, `packages=${packages}`].flatMap((each) => ['--build-context', each]);
  const options = ['--pull-never', '--format', 'docker', '--build-arg', `NODE_IMAGE=${NODE_IMAGE}`];
  await engine('buildah', 'bud', ...options, ...contexts, '--tag', IMAGE, '.');
}

/** Makes the files that the image takes from its stage `source`. */
async function buildSource(folder: string): Promise<void> {
  await execute(process.execPath, ['.config/build-package.mjs', join(folder, 'build')]);
  for (const path of ['build/dashboard', 'prisma/migrations', 'schema', 'src/cli/paygraph.cjs'])
    await cp(path, join(folder, path), { recursive: true });
}

/** Makes the files of the stage `packages`. Links instead of copies, because the packages have a gigabyte. */
async function installPackages(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const file of ['package.json', 'package-lock.json', '.npmrc']) await cp(file, join(folder, file));
  await execute('cp', ['-al', 'node_modules', join(folder, 'node_modules')]);
  for (const name of ['.cache', '.bin', 'node/bin', 'node/node_modules'])
    await rm(join(folder, 'node_modules', name), { recursive: true, force: true });
  const omit = ['--omit=dev', '--omit=optional', '--ignore-scripts'];
  await execute('npm', ['prune', ...omit], { cwd: folder });
}

/** Makes an image with Node alone, in place of `node:24-slim`, from the files of this machine. */
async function buildNodeImage(engine: Engine, root: string): Promise<void> {
  const node = await realpath(process.execPath);
  const { stdout } = await execute('ldd', [node]);
  for (const library of stdout.match(/\/lib\S*\.so\S*/g) ?? [])
    await copy(await realpath(library), join(root, library));
  await copy(node, join(root, 'usr/local/bin/node'));
  await mkdir(join(root, 'tmp'));
  await chmod(join(root, 'tmp'), 0o1777);
  const container = await engine('buildah', 'from', 'scratch');
  await engine('buildah', 'add', '--quiet', container, root, '/');
  await engine('buildah', 'config', '--env', 'PATH=/usr/local/bin', container);
  await engine('buildah', 'commit', '--quiet', '--format', 'docker', container, NODE_IMAGE);
}

async function copy(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true });
  await cp(from, to);
}
