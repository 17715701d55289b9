import { forOutput } from './colours.ts';
import { systemClock } from '../platform/clock.ts';
import { OperatorError } from '../platform/operator-error.ts';
import { createDemoClient } from './demo/client.ts';
import { tellStory } from './demo/story.ts';
import { readConfig } from './environment.ts';
import { mintFromFile } from './token.ts';

/** Follows one payment from end to end against the sandbox that runs with this configuration, and prints the story. */
export async function demo(): Promise<void> {
  const config = readConfig();
  if (config.production) throw new OperatorError('The demo is for a sandbox; NODE_ENV is production.');
  const url = `http://${config.HOST}:${config.PORT}/graphql`;
  const token = await mintFromFile(config.PAYGRAPH_DATA_DIR, {}, systemClock);
  console.log(`One payment from end to end, against ${forOutput.cyan(url)}`);
  try {
    await tellStory(createDemoClient(url, token), (line) => console.log(line));
  } catch (error) {
    throw new OperatorError(`The demo ended early. ${error instanceof Error ? error.message : ''}`);
  }
  console.log(
    `\n${forOutput.green('Done.')} The payment is still there: query it in GraphiQL, or run the demo again.`,
  );
}
