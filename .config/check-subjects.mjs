// Refuses subjects of commits that do not begin with their area, or have more than 72 characters. Looks at the commits that no
// remote branch has. A clone without a remote has its last commit checked.
import { execFileSync } from 'node:child_process';

const LENGTH_MAX = 72;
const FORM = /^[a-z][a-z0-9, -]*: \S/;

const git = (...words) => execFileSync('git', words, { encoding: 'utf8' }).trim();

const range = git('remote') === '' ? ['-1'] : ['HEAD', '--not', '--remotes'];
const subjects = git('log', '--no-merges', '--format=%s', ...range)
  .split('\n')
  .filter(Boolean);
const refused = subjects.filter((subject) => subject.length > LENGTH_MAX || !FORM.test(subject));
for (const subject of refused) process.stderr.write(`${subject}\n`);
if (refused.length > 0) {
  process.stderr.write(
    `A subject begins with its area ("transactions: refuse a second void") and has at most ${LENGTH_MAX} characters.\n`,
  );
  process.exitCode = 1;
}
