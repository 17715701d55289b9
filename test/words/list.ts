import { listBelow } from './files.ts';

const paths = process.argv.slice(2);
if (paths.length === 0) {
  process.stderr.write('Usage: npm run words <file or folder>…\n');
  process.exitCode = 2;
}
const lines = paths.flatMap((path) => listBelow(path.replace(/\/$/, '')));
if (lines.length > 0) {
  process.stdout.write(`${lines.join('\n')}\n`);
  process.exitCode = 1;
}
