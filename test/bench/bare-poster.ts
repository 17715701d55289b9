import { randomUUID } from 'node:crypto';
import http from 'node:http';
import { serve } from './child.ts';

// A process that posts as fast as it can, with nothing but node:http. Its task is post.

export type Posting = {
  readonly urls: readonly string[];
  /** The number of all requests, over the addresses in turn. */
  readonly count: number;
  readonly atOnce: number;
  readonly body: string;
};

const agent = new http.Agent({ keepAlive: true, maxFreeSockets: 1_024 });

serve({
  post: async ({ urls, count, atOnce, body }: Posting) => {
    const targets = urls.map((url) => new URL(url));
    const queue = Array.from({ length: count }, (_, index) => targets[index % targets.length]).values();
    await Promise.all(
      Array.from({ length: atOnce }, async () => {
        for (const url of queue) if (url) await post(url, body);
      }),
    );
  },
});

function post(url: URL, body: string): Promise<void> {
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
