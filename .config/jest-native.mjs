import { registerHooks } from 'node:module';
import { addEventHandler, getState } from 'jest-circus';
import { PATIENCE } from '../test/support/patience.ts';

// jest-light-runner runs test files as Node does, without a context of their own for each. Two things are added here.

// 1. `@jest/globals` are the runner's globals.
const globals = `data:text/javascript,${encodeURIComponent(
  ['afterAll', 'afterEach', 'beforeAll', 'beforeEach', 'describe', 'expect', 'it', 'jest', 'test']
    .map((name) => `export const ${name} = globalThis.${name};`)
    .join('\n'),
)}`;
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === '@jest/globals' ? { url: globals, shortCircuit: true } : next(specifier, context),
});

// 2. A test or a hook that does not end fails after its time, or after TIMEOUT_MS. In CI a test has three times as long.
const TIMEOUT_MS = 60_000;

addEventHandler(({ name }) => {
  const { children, hooks } = getState().currentDescribeBlock;
  const added = name === 'add_test' ? children.at(-1) : name === 'add_hook' ? hooks.at(-1) : undefined;
  if (!added?.fn) return;
  const { fn, timeout = TIMEOUT_MS } = added;
  added.fn = () => inTime(fn, timeout * PATIENCE);
});

async function inTime(fn, timeout) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`Exceeded ${timeout} ms.`)), timeout);
  });
  try {
    await Promise.race([fn(), late]);
  } finally {
    clearTimeout(timer);
  }
}
