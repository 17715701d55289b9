/** An address of Postgres. Several hosts are those of one cluster. */
export type DatabaseAddress = {
  /** The address of each host, in the given order. */
  readonly urls: readonly string[];
  /** True if only the primary serves. Any other server of the cluster is refused. */
  readonly primary: boolean;
};

/** The scheme with user and password, the hosts, and the rest of an address. */
const FORM = /^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)([^/?#]*)(.*)$/s;

/** Attributes of libpq for a server that takes writes. */
const OF_PRIMARY = ['read-write', 'primary'];

/**
 * Reads an address in the form of libpq, such as `postgresql://user@one:5432,two:5432/paygraph?target_session_attrs=read-write`.
 *
 * Several hosts mean the primary among them, with and without the attribute. Returns null for any other text, and for an
 * attribute that asks for a standby.
 */
export function readAddress(text: string): DatabaseAddress | null {
  const [, scheme = '', hosts = '', rest = ''] = FORM.exec(text) ?? [];
  if (scheme === '') return null;
  const each = hosts.split(',').map((host) => URL.parse(`${scheme}${host}${rest}`));
  const wanted = each[0]?.searchParams.get('target_session_attrs') ?? null;
  const asked = wanted === null ? [] : [wanted];
  if (!asked.every((attribute) => OF_PRIMARY.includes(attribute))) return null;
  const urls = each.map((url) => url && (wanted === null ? url.href : withoutAttribute(url)));
  if (!urls.every((url) => url !== null)) return null;
  return { urls, primary: urls.length > 1 || wanted !== null };
}

/** The driver does not know the attribute and ignores it. */
function withoutAttribute(url: URL): string {
  url.searchParams.delete('target_session_attrs');
  return url.href;
}

/** Returns the addresses of the hosts of a valid address. */
export function addressOf(text: string): DatabaseAddress {
  const address = readAddress(text);
  if (!address) throw new Error('The address of the database cannot be read.');
  return address;
}

/** Returns the hosts with their ports for a message. */
export const hostsOf = (text: string): string =>
  addressOf(text)
    .urls.map((url) => new URL(url))
    .map(({ hostname, port }) => `${hostname}:${port || '5432'}`)
    .join(' or ');

/** Returns the database and the hosts for a message, without user and password. */
export const nameOf = (text: string): string =>
  `${new URL(addressOf(text).urls[0] ?? '').pathname.slice(1)} at ${hostsOf(text)}`;

/** Returns the address of another database on the same hosts. */
export function withDatabaseName(text: string, name: string): string {
  const [, scheme = '', hosts = '', rest = ''] = FORM.exec(text) ?? [];
  return `${scheme}${hosts}/${name}${rest.replace(/^\/[^?#]*/, '')}`;
}
