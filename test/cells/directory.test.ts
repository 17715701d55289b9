import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readDirectory } from '../../src/cli/cells/directory.ts';
import { nginxOf } from '../../src/cli/cells/nginx.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'paygraph-directory-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function read(text: string) {
  const path = join(folder, 'cells.json');
  await writeFile(path, text);
  return readDirectory(path);
}

const A = { publicUrl: 'https://a.example.com', servers: ['10.0.0.1:4000', '10.0.0.2:4000'] };
const B = { publicUrl: 'https://b.example.com', servers: ['[::1]:4000'] };
const GOOD = { cells: { a: A, b: B }, default: 'a', accounts: { Shop: 'b' } };

describe('a directory', () => {
  it('is read', async () => {
    expect(await read(JSON.stringify(GOOD))).toEqual(GOOD);
  });

  it.each<[string, object, string]>([
    ['an unknown default', { ...GOOD, default: 'c' }, 'default: there is no cell "c".'],
    ['an unknown cell', { ...GOOD, accounts: { shop: 'c' } }, 'accounts.shop: there is no cell "c".'],
    [
      'a name of the language',
      { ...GOOD, accounts: { shop: 'toString' } },
      'accounts.shop: there is no cell "toString".',
    ],
    [
      'one host for two cells',
      { ...GOOD, cells: { a: A, b: A } },
      'cells: a and b have the same host a.example.com.',
    ],
    [
      'a name that nginx cannot have',
      { ...GOOD, cells: { a: A, 'b;': B } },
      'cells.b;: must have a name of lower-case letters',
    ],
    [
      'an account that is none',
      { ...GOOD, accounts: { 'a b': 'a' } },
      'accounts.a b: must be the id of a merchant account.',
    ],
    [
      'a server without a port',
      { ...GOOD, cells: { a: { ...A, servers: ['10.0.0.1'] }, b: B } },
      'cells.a.servers.0: must be a host with a port',
    ],
    [
      'a cell without servers',
      { ...GOOD, cells: { a: { ...A, servers: [] }, b: B } },
      'must name at least one server',
    ],
    [
      'another address',
      { ...GOOD, cells: { a: { ...A, publicUrl: 'ftp://a' }, b: B } },
      'cells.a.publicUrl: must be the PAYGRAPH_PUBLIC_URL',
    ],
    ['no cells', { ...GOOD, cells: {} }, 'cells: must have at least one cell.'],
    ['a misspelt field', { ...GOOD, account: {} }, 'Unrecognized key'],
  ])('refuses %s', async (_, directory, sentence) => {
    await expect(read(JSON.stringify(directory))).rejects.toThrow(sentence);
  });

  it('refuses a file that is no JSON, and a missing one', async () => {
    await expect(read('{')).rejects.toThrow('is not valid JSON.');
    await expect(readDirectory(join(folder, 'none.json'))).rejects.toThrow('cannot be read.');
  });
});

it('becomes upstreams and maps of nginx', () => {
  expect(nginxOf(GOOD))
    .toBe(`# Written by "paygraph cells --nginx". Write the file again after each change of the directory.
upstream paygraph_a {
  server 10.0.0.1:4000;
  server 10.0.0.2:4000;
  keepalive 32;
}
upstream paygraph_b {
  server [::1]:4000;
  keepalive 32;
}
map $host $paygraph_host {
  default paygraph_a;
  "a.example.com" paygraph_a;
  "b.example.com" paygraph_b;
}
map $http_x_service_merchant_account_id $paygraph_cell {
  "" $paygraph_host;
  default paygraph_a;
  "~^Shop$" paygraph_b;
}
map $upstream_http_x_paygraph_cell $paygraph_moved {
  default paygraph_a;
  "a" paygraph_a;
  "b" paygraph_b;
}`);
});
