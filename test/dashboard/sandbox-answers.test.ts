import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { SANDBOX_ANSWERS } from '../../src/dashboard/pages/anti-fraud/sandbox-answers.ts';

/** A line of the sandbox's page about an address, such as `reject@example.com`, and its decision. */
const LINE = /^\| `(\w+)@example\.com` +\| `([A-Z]+)` +\|$/gm;

it('the page of anti-fraud services lists the addresses and decisions of the sandbox', () => {
  const documented = [...readFileSync('src/docs/sandbox.md', 'utf8').matchAll(LINE)].map(
    ([, name, decision]) => [name, decision],
  );

  expect([...SANDBOX_ANSWERS, ['anybody', 'ACCEPT']].toSorted()).toEqual(documented.toSorted());
});
