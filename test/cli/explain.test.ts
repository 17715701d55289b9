import { describe, expect, it } from '@jest/globals';
import { explain } from '../../src/cli/explain.ts';
import { ConfigError } from '../../src/platform/process/config.ts';
import { OperatorError } from '../../src/platform/operator-error.ts';

describe('an error that ends a command is shown', () => {
  it('as its sentence, when the operator can correct it', () => {
    expect(explain(new OperatorError('The port is taken.'))).toBe('The port is taken.');
  });

  it('as a list, when it is about the configuration', () => {
    expect(explain(new ConfigError('PORT: must be a whole number\nHOST: is missing'))).toBe(
      'The configuration is wrong:\n  PORT: must be a whole number\n  HOST: is missing\n' +
        'See .env.example for the meaning of each setting.',
    );
  });

  it('with the needed command, when the generated client is missing', async () => {
    const missing = Object.assign(
      new Error(
        "Cannot find module '/app/src/platform/generated/prisma/client.ts' imported from /app/src/platform/db.ts",
      ),
      { code: 'ERR_MODULE_NOT_FOUND' },
    );
    expect(explain(missing)).toBe(
      'The generated database client is missing. Run "npm ci". To remove the packages for development, run "npm prune --omit=dev" afterwards.',
    );
  });

  it('with the needed command, when the packages for development are missing', () => {
    const missing = Object.assign(
      new Error(
        "Cannot find package '@prisma/schema-engine-wasm' imported from /app/src/platform/migrate/engine.ts",
      ),
      { code: 'ERR_MODULE_NOT_FOUND' },
    );
    expect(explain(missing)).toBe(
      'This command needs the packages for development. Run "npm ci" without "--omit=dev".',
    );
  });

  it('with its stack, when it is a programming error', () => {
    expect(explain(new TypeError('x is not a function'))).toMatch(/^TypeError: x is not a function\n {4}at /);
  });
});
