// The quick tests. ESM goes through swc. The generated Prisma client, jose and the rest run unchanged.
export default {
  rootDir: '..',
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/', '\\.long\\.test\\.ts$'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      { jsc: { parser: { syntax: 'typescript' }, target: 'es2024' }, module: { type: 'es6' } },
    ],
  },
  transformIgnorePatterns: ['/node_modules/'],
  globalSetup: '<rootDir>/test/support/global-setup.ts',
  globalTeardown: '<rootDir>/test/support/global-teardown.ts',
  reporters: ['default', '<rootDir>/.config/jest-summary.mjs'],
  testSequencer: '<rootDir>/.config/jest-sequencer.mjs',
  maxWorkers: '100%',
  // ES modules of a test file are never freed: a worker that has grown is replaced before the next file.
  workerIdleMemoryLimit: '1GB',
  testTimeout: 60_000,
};
