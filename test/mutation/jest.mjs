import quick from '../../.config/jest.mjs';

// The tests of the pure rules. They need no database, so a run takes about a second.
const { globalSetup: _setup, globalTeardown: _teardown, ...pure } = quick;

export default {
  ...pure,
  rootDir: '../..',
  testMatch: [
    '<rootDir>/test/kernel/**/*.test.ts',
    '<rootDir>/test/connectors/amounts.test.ts',
    '<rootDir>/test/transactions/outcome-rules.test.ts',
    '<rootDir>/test/transactions/transaction.test.ts',
    '<rootDir>/test/transactions/take-back-rules.test.ts',
    '<rootDir>/test/transactions/schedule.test.ts',
    '<rootDir>/test/transactions/retriable.test.ts',
    '<rootDir>/test/transactions/split-refund.test.ts',
    '<rootDir>/test/transactions/outcome-amounts.test.ts',
    '<rootDir>/test/transactions/follow-up-limits.test.ts',
    '<rootDir>/test/three-ds/decide.test.ts',
    '<rootDir>/test/payment-links/payment-link.test.ts',
  ],
  reporters: ['summary'],
  maxWorkers: 1,
  bail: 1,
};
