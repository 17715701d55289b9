import { execFileSync } from 'node:child_process';
import { writeConnector } from './new-connector.ts';

// npm run connector:new <name>

const [name = ''] = process.argv.slice(2);

try {
  const paths = await writeConnector(name);
  // The longer or shorter name changes the width of lines.
  execFileSync('npx', ['oxfmt', ...paths], { stdio: 'ignore' });
  process.stdout.write(
    [
      ...paths.map((path) => `wrote ${path}`),
      '',
      `Run: npm test -- connectors/${name}`,
      'The test lists what is left to write. .github/CONTRIBUTING.md tells the order.',
      '',
    ].join('\n'),
  );
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
