import quick from './jest.mjs';

// The tests that prove by repetition: many histories, many rows, many kills, every state of a page.
export default {
  ...quick,
  testMatch: ['<rootDir>/test/**/*.long.test.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
};
