import type { Directory } from './directory.ts';

/**
 * Returns the part of a configuration of nginx that belongs into `http`. It defines these names:
 *
 * - `$paygraph_cell` is the upstream of the account that the request names, or of the request's host.
 * - `$paygraph_moved` is the upstream that a cell named in its answer 421.
 */
export function nginxOf({ cells, default: rest, accounts }: Directory): string {
  const names = Object.entries(cells);
  return [
    '# Written by "paygraph cells --nginx". Write the file again after each change of the directory.',
    ...names.flatMap(([name, { servers }]) => [
      `upstream paygraph_${name} {`,
      ...servers.map((server) => `  server ${server};`),
      '  keepalive 32;',
      '}',
    ]),
    // The host of a cell counts without an account: pages, webhooks of providers, the dashboard.
    'map $host $paygraph_host {',
    `  default paygraph_${rest};`,
    ...names.map(([name, { publicUrl }]) => `  "${new URL(publicUrl).hostname}" paygraph_${name};`),
    '}',
    'map $http_x_service_merchant_account_id $paygraph_cell {',
    `  "" $paygraph_host;`,
    `  default paygraph_${rest};`,
    // nginx compares in lower case, and ids differ by case. A pattern compares exactly.
    ...Object.entries(accounts).map(([account, cell]) => `  "~^${account}$" paygraph_${cell};`),
    '}',
    'map $upstream_http_x_paygraph_cell $paygraph_moved {',
    `  default paygraph_${rest};`,
    ...names.map(([name]) => `  "${name}" paygraph_${name};`),
    '}',
  ].join('\n');
}
