import { randomUUID } from 'node:crypto';
import http from 'node:http';

/** The requests of one process. */
export type Posting = {
  readonly urls: readonly string[];
  /** The number of all requests, over the addresses in turn. */
  readonly count: number;
  readonly atOnce: number;
  readonly body: string;
};

/** One request, as the data of a job. */
export type Post = { readonly url: string; readonly body: string };

/** Lists the requests of one process. */
export const postsOf = ({ urls, count, body }: Posting): readonly Post[] =>
  Array.from({ length: count }, (_, index) => ({ url: urls[index % urls.length] ?? '', body }));

/** Posts with the headers of a webhook, over a kept connection. Resolves at the end of any reply. */
export function postTo(url: URL | string, body: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      'user-agent': 'Paygraph',
      'webhook-id': randomUUID(),
      'webhook-timestamp': '1767225600',
      'webhook-signature': `v1,${'A'.repeat(43)}=`,
    };
    const outgoing = http.request(url, { method: 'POST', headers, agent }, (incoming) => {
      incoming.resume();
      incoming.once('end', resolve);
    });
    outgoing.once('error', reject);
    outgoing.end(body);
  });
}

const agent = new http.Agent({ keepAlive: true, maxFreeSockets: 1_024 });
