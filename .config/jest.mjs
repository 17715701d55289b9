// The quick tests. Node runs them as it runs the service. All files of a worker share the loaded modules.
export default {
  rootDir: '..',
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/', '\\.long\\.test\\.ts$'],
  modulePathIgnorePatterns: ['<rootDir>/\\.paygraph/', '<rootDir>/build/'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: {},
  runner: '<rootDir>/.config/jest-runner.mjs',
  setupFilesAfterEnv: ['<rootDir>/.config/jest-native.mjs'],
  globalSetup: '<rootDir>/test/support/global-setup.ts',
  globalTeardown: '<rootDir>/test/support/global-teardown.ts',
  reporters: ['default', '<rootDir>/.config/jest-summary.mjs'],
  testSequencer: '<rootDir>/.config/jest-sequencer.mjs',
  maxWorkers: '100%',
};
