import { randomBytes } from 'node:crypto';
import { MASTER_KEY_BYTES } from '../../platform/process/master-key.ts';
import type { NewSettings } from './env-file.ts';
import { UsageError } from '../exit-code.ts';

/** The options of the setup that stand for settings. */
export type SettingOptions = {
  readonly databaseUrl?: string | undefined;
  readonly publicUrl?: string | undefined;
};

/** Asks a person for a value. Null without a terminal, or when nothing may be asked. */
export type Ask = ((question: string) => Promise<string>) | null;

type Environment = Readonly<Record<string, string | undefined>>;

const ASKED = [
  {
    name: 'DATABASE_URL',
    option: 'databaseUrl',
    flag: '--database-url',
    question: 'Address of Postgres, such as postgresql://user:password@host:5432/paygraph: ',
  },
  {
    name: 'PAYGRAPH_PUBLIC_URL',
    option: 'publicUrl',
    flag: '--public-url',
    question: 'Address of Paygraph for others, such as https://pay.example.com: ',
  },
] as const;

/**
 * Returns the settings that a production start needs and the environment lacks: from the options, else by a question.
 * Generates a master key if no key provider is configured. Stores nothing. Throws an OperatorError for a value that is
 * missing or contradicts the environment.
 */
export async function missingSettings(
  environment: Environment,
  options: SettingOptions,
  ask: Ask,
): Promise<NewSettings> {
  const mode = environment['NODE_ENV'];
  if (mode !== undefined && mode !== '' && mode !== 'production')
    throw new UsageError('NODE_ENV is not production. Unset NODE_ENV: the setup is for production only.');
  const added: Record<string, string> = mode ? {} : { NODE_ENV: 'production' };
  for (const { name, option, flag, question } of ASKED) {
    const [present, given] = [environment[name] ?? '', options[option]];
    if (present !== '' && given !== undefined && given !== present)
      throw new UsageError(`${flag}: ${name} is set to another value. Give one of the two.`);
    if (present !== '') continue;
    const value = given ?? (await ask?.(question))?.trim() ?? '';
    if (value === '') throw new UsageError(`${name} is missing. Set ${name}, or give ${flag}.`);
    added[name] = value;
  }
  if (!environment['PAYGRAPH_MASTER_KEY'] && (environment['PAYGRAPH_KEY_PROVIDER'] ?? 'local') === 'local')
    added['PAYGRAPH_MASTER_KEY'] = randomBytes(MASTER_KEY_BYTES).toString('base64');
  return added;
}
