// Prints the notes of a release: the section of its version in the changelog. The first argument is the tag, such as v0.1.0.
// Refuses a tag that is not the version of package.json.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');
const read = (file) => readFileSync(join(ROOT, file), 'utf8');

const { version } = JSON.parse(read('package.json'));
const tag = process.argv[2] ?? '';
if (tag !== `v${version}`) {
  console.error(`The tag ${tag} is not v${version}, the version of package.json.`);
  process.exit(1);
}
const [, below] = read('src/docs/changelog.md').split(`\n## ${version}\n`);
if (below === undefined) {
  console.error(`src/docs/changelog.md has no section "## ${version}".`);
  process.exit(1);
}
const [notes] = below.split('\n## ');
process.stdout.write(`${notes.trim()}\n`);
