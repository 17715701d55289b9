import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { OperatorError } from '../../platform/operator-error.ts';

/** The story of one connector. `record`: the file for the record of the steps. */
export type ProviderStory = {
  readonly provider: string;
  readonly record?: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly tell: (line: string) => void;
};

/** The result of a story, as the tests define it. */
type Loaded = { readonly runProviderDemo: (story: ProviderStory) => Promise<unknown> };

const ROOT = resolve(import.meta.dirname, '../../..');

/**
 * Tells the story of a connector, and returns its record. The doubles of providers are among the tests, so an installation without the tests refuses
 * with a sentence.
 */
export async function demoOfProvider(story: ProviderStory, root = ROOT): Promise<unknown> {
  const file = join(root, 'test/connectors/demo/provider-demo.ts');
  if (!existsSync(file))
    throw new OperatorError(
      'The demo of a provider needs the tests of the repository, which this installation lacks. Run the demo in a clone.',
    );
  const { runProviderDemo } = (await import(pathToFileURL(file).href)) as Loaded;
  return await runProviderDemo(story);
}
