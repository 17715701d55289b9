import { ConfigError } from '../platform/config.ts';
import { errorCode } from '../platform/error-code.ts';
import { OperatorError } from '../platform/operator-error.ts';

/** What to print for an error that ends a command: a sentence for what the operator can mend, the stack for a mistake of ours. */
export function explain(error: unknown): string {
  if (error instanceof ConfigError) {
    const mistakes = error.message.split('\n').map((mistake) => `  ${mistake}`);
    return [
      'The configuration is not right:',
      ...mistakes,
      'See .env.example for what each setting means.',
    ].join('\n');
  }
  if (error instanceof OperatorError) return error.message;
  if (!(error instanceof Error)) return String(error);
  if (errorCode(error) === 'ERR_MODULE_NOT_FOUND' && error.message.includes('generated')) {
    return 'The generated database client is missing. Run "npm run generate:client".';
  }
  if (errorCode(error) === 'ERR_MODULE_NOT_FOUND' && error.message.includes('schema-engine')) {
    return 'This command needs the packages for development. Run "npm ci" without "--omit=dev".';
  }
  return error.stack ?? error.message;
}
