import { migrationFaults } from './faults.ts';

// npm run check:migrations
//   Lists the statements of migrations that stop payments or break the former release. Fails if there are any.
// With --advise
//   Lists them as work that is left, and never fails. `npm run migrate:new` ends with this form.

const isAdvice = process.argv.includes('--advise');
const faults = await migrationFaults();
if (faults.length > 0) {
  const head = isAdvice ? 'Before you commit the migration, rewrite these statements:\n' : '';
  process.stderr.write(`${head}${faults.join('\n')}\n`);
  if (!isAdvice) process.exitCode = 1;
}
