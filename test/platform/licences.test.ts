import { expect, it } from '@jest/globals';
import lock from '../../package-lock.json' with { type: 'json' };

/** Licences that let anybody run, change and pass on a package, with no duty but to keep its notice. */
const PERMISSIVE = [
  ...['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'BlueOak-1.0.0', 'ISC', 'MIT', 'Unlicense'],
  // An older name of MIT, and both together.
  ...['MIT/X11', '(MIT AND BSD-3-Clause)'],
];

type Locked = { readonly dev?: boolean; readonly license?: string };

it('Every package that runs has a permissive licence', () => {
  const packages: [string, Locked][] = Object.entries(lock.packages);
  const running = packages.filter(([place, { dev }]) => place !== '' && dev !== true);
  const others = running.filter(([, { license }]) => !PERMISSIVE.includes(license ?? 'none'));

  expect(running.length).toBeGreaterThan(100);
  expect(others.map(([place, { license }]) => `${place}: ${license ?? 'none'}`)).toEqual([]);
});
