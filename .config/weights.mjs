// Prints a table with the megabytes of an installation, part by part. The columns are `npm ci --omit=dev --omit=optional`,
// `npm ci --omit=dev` and `npm ci`. The first suffices with your own Postgres. A part is a package of package.json with
// the packages that no other part brings. The first argument is the number of parts.
import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');
/** The width of a column of numbers. */
const WIDTH = 17;
const PARTS_SHOWN = Number(process.argv[2] ?? 12);

const read = (file) => JSON.parse(readFileSync(join(ROOT, file), 'utf8'));
const { dependencies, devDependencies } = read('package.json');
const { packages } = read('package-lock.json');

/** Returns the bytes of a package on the disk without the packages inside. A file with several links counts once. */
function bytesOf(folder, seen = new Set()) {
  if (!existsSync(folder)) return 0;
  return readdirSync(folder)
    .map((name) => join(folder, name))
    .reduce((sum, path) => {
      const { dev, ino, blocks } = lstatSync(path);
      const isFolder = lstatSync(path).isDirectory();
      if (isFolder && isLocked(path)) return sum;
      if (isFolder) return sum + bytesOf(path, seen);
      const key = `${dev}:${ino}`;
      if (seen.has(key)) return sum;
      seen.add(key);
      return sum + blocks * 512;
    }, 0);
}

const isLocked = (path) => path.slice(ROOT.length + 1) in packages;

/** Returns the place of a package as Node finds it from another one. Null for an optional package that is absent. */
function placeOf(name, from) {
  for (let place = from; ; place = place.replace(/(^|\/)node_modules\/(@[^/]+\/)?[^/]+$/, '')) {
    const found = `${place === '' ? '' : `${place}/`}node_modules/${name}`;
    if (found in packages) return found;
    if (place === '') return null;
  }
}

/** Returns the places of a package and of every package that it brings. */
function broughtBy(place, found = new Set()) {
  if (place === null || found.has(place)) return found;
  found.add(place);
  const { dependencies: needed, optionalDependencies, peerDependencies } = packages[place];
  for (const name of Object.keys({ ...needed, ...optionalDependencies, ...peerDependencies }))
    broughtBy(placeOf(name, place), found);
  return found;
}

/** Returns the megabytes of each part. Packages of several parts are one part of their own. */
function weigh(names, isInstalled) {
  const owners = new Map();
  for (const name of names)
    for (const place of broughtBy(placeOf(name, '')))
      owners.set(place, owners.has(place) ? 'several parts' : name);
  const parts = new Map();
  for (const place of Object.keys(packages).filter((each) => each !== '' && isInstalled(packages[each]))) {
    const part = owners.get(place) ?? 'optional peers';
    parts.set(part, (parts.get(part) ?? 0) + bytesOf(join(ROOT, place)) / 1e6);
  }
  return parts;
}

/** npm installs the optional peers of a package to run, unless it also gets `--omit=optional`. */
const isOptional = ({ optional, devOptional }) => optional || devOptional;
const toRun = weigh(Object.keys(dependencies), (entry) => !entry.dev);
const leanest = weigh(Object.keys(dependencies), (entry) => !entry.dev && !isOptional(entry));
const toDevelop = weigh(Object.keys({ ...dependencies, ...devDependencies }), () => true);
const total = (parts) => [...parts.values()].reduce((sum, size) => sum + size, 0);
const shown = [...toDevelop].toSorted(([, one], [, other]) => other - one).slice(0, PARTS_SHOWN);
const named = new Set(shown.map(([name]) => name));
const others = (parts) => total(parts) - [...named].reduce((sum, name) => sum + (parts.get(name) ?? 0), 0);

const format = (size) => (typeof size === 'string' ? size : size < 0.5 ? '' : size.toFixed(0));
const line = (name, ...cells) =>
  `| ${[name.padEnd(27), ...cells.map((cell) => format(cell).padStart(WIDTH))].join(' | ')} |`;
const rule = `| ${'-'.repeat(27)} | ${Array(3)
  .fill(`${'-'.repeat(WIDTH - 1)}:`)
  .join(' | ')} |`;
const table = [
  line('part, in megabytes', 'your own Postgres', '`--omit=dev`', 'all'),
  rule,
  ...shown.map(([name]) =>
    line(`\`${name}\``, ...[leanest, toRun, toDevelop].map((parts) => parts.get(name) ?? 0)),
  ),
  line('others', ...[leanest, toRun, toDevelop].map(others)),
  line('in all', ...[leanest, toRun, toDevelop].map(total)),
];
process.stdout.write(`${table.join('\n')}\n`);
