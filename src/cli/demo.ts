import { forOutput } from './colours.ts';
import { systemClock } from '../platform/clock.ts';
import { OperatorError } from '../platform/operator-error.ts';
import { createDemoClient } from './demo/client.ts';
import { tellStory } from './demo/story.ts';
import { readConfig } from './environment.ts';
import { recordToken, sandboxKeyFile, signFromFile } from './token.ts';

/** Runs one payment from end to end against the sandbox of this configuration, and prints each step. */
export async function demo(): Promise<void> {
  const config = readConfig();
  if (config.production)
    throw new OperatorError('The demo needs a sandbox, but NODE_ENV is production. Unset NODE_ENV.');
  const url = `http://${config.HOST}:${config.PORT}/graphql`;
  const { token, minted } = await signFromFile(sandboxKeyFile(config.PAYGRAPH_DATA_DIR), {}, systemClock);
  await recordToken(config, 'demo', minted);
  console.log(`One payment from end to end, against ${forOutput.cyan(url)}`);
  try {
    await tellStory(createDemoClient(url, token), (line) => console.log(line));
  } catch (error) {
    throw new OperatorError(`The demo stopped early. ${error instanceof Error ? error.message : ''}`);
  }
  console.log(
    `\n${forOutput.green('Done.')} The payment is still there: query it in GraphiQL, or run the demo again.`,
  );
}
