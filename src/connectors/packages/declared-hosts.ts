import type { Log } from '../../platform/log.ts';
import type { HttpSender } from '../../platform/http/reply.ts';
import { NO_TIMING } from '../../platform/http/timing.ts';
import { runAsHouse } from './stray-errors.ts';

/** The name of a connector, and the hosts that it may reach in this environment. */
export type Reach = { readonly id: string; readonly hosts: readonly string[] };

/** Returns a client that reaches only declared hosts. A request to another host is not sent. */
export const withinHosts = (http: HttpSender, { id, hosts }: Reach, log: Log): HttpSender =>
  Object.freeze<HttpSender>({
    send: async (request) => {
      if (reaches(hosts, request.url)) return runAsHouse(() => http.send(request));
      const host = URL.parse(request.url)?.host ?? null;
      log.error({ connector: id, host }, 'The connector asked for a host that it does not declare.');
      const failure = { kind: 'forbidden_address', sent: false, durationMs: 0, timing: NO_TIMING } as const;
      return { failure };
    },
  });

/** True if a declared host has the address. */
export function reaches(hosts: readonly string[], address: string): boolean {
  const url = URL.parse(address);
  return (
    url !== null &&
    hosts.some((declared) => {
      const anyPort = declared.endsWith(':*');
      const host = anyPort ? url.hostname : url.host;
      const wanted = anyPort ? declared.slice(0, -':*'.length) : declared;
      return wanted.startsWith('.') ? host.endsWith(wanted) : host === wanted;
    })
  );
}

/** A name or an address of IPv4, perhaps below a dot, perhaps with a port. */
const HOST = /^\.?[a-z0-9-]+(\.[a-z0-9-]+)+(:(\d{1,5}|\*))?$/;

/** Hosts below a number are addresses: `.0.0.1` would have 10.0.0.1. */
const BELOW_A_NUMBER = /^\.(.*\.)?\d+(:.*)?$/;

/** An address never has the port that its protocol has anyway. */
const USUAL_PORT = /:(443|80)$/;

/** Returns why a host is not in the form of a declaration. Null if it is. A whole top-level domain is no host. */
export function hostMistake(host: string): string | null {
  if (!HOST.test(host) || BELOW_A_NUMBER.test(host)) return 'must be a host such as api.acme.example';
  return USUAL_PORT.test(host) ? 'must leave out the port 443 or 80, which every host has' : null;
}
