import { forOutput } from '../colours.ts';
import { systemClock } from '../../platform/clock.ts';
import { OperatorError } from '../../platform/operator-error.ts';
import { createDemoClient } from '../demo/client.ts';
import { tellStory } from '../demo/story.ts';
import { demoOfProvider } from '../demo/provider.ts';
import { readEnvironment } from '../environment.ts';
import { printJson } from '../json.ts';
import { parseConfig } from '../../platform/process/config.ts';
import { recordToken, sandboxKeyFile, signFromFile } from './token.ts';

export type DemoOptions = {
  readonly provider?: string;
  readonly record?: string;
  readonly json?: boolean | undefined;
};

/**
 * Runs one payment from end to end against the sandbox of this configuration, and prints each step. With a provider, tells
 * the story of that provider's connector. With `--json` the steps are on standard error, and the result is JSON.
 */
export async function demo({ provider, record, json = false }: DemoOptions): Promise<void> {
  const environment = readEnvironment();
  const config = parseConfig(environment);
  if (config.production)
    throw new OperatorError('The demo needs a sandbox, but NODE_ENV is production. Unset NODE_ENV.');
  const print = (line: string): void => void (json ? process.stderr : process.stdout).write(`${line}\n`);
  if (provider !== undefined) {
    const told = await demoOfProvider({
      ...{ provider, environment, tell: print },
      ...(record !== undefined && { record }),
    });
    if (json) printJson(told);
    return;
  }
  const url = `http://${config.HOST}:${config.PORT}/graphql`;
  const { token, minted } = await signFromFile(sandboxKeyFile(config.PAYGRAPH_DATA_DIR), {}, systemClock);
  await recordToken(config, 'demo', minted);
  print(`One payment from end to end, against ${forOutput.cyan(url)}`);
  try {
    const told = await tellStory(createDemoClient(url, token), print);
    if (json) printJson(told);
  } catch (error) {
    throw new OperatorError(`The demo stopped early. ${error instanceof Error ? error.message : ''}`);
  }
  print(
    `\n${forOutput.green('Done.')} The payment is still there: query it in GraphiQL, or run the demo again.`,
  );
}
