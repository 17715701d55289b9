import { writeConnector } from './write-connector.ts';

/** Writes the project of a new connector, and says how to go on. */
export async function connector(name: string): Promise<void> {
  const { folder, files } = await writeConnector(name);
  const lines = [
    ...files.map((file) => `wrote ${file}`),
    '',
    'Next:',
    `  cd ${folder}`,
    '  npm install',
    '  npm test',
    '',
    'The guide "Write a connector" leads on: /docs/guides/write-a-connector of a running Paygraph.',
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
}
