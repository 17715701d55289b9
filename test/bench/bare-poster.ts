import { serve } from './child.ts';
import { postTo, type Posting } from './post.ts';

// A process that posts as fast as it can, with nothing but node:http. Its task is post.

serve({
  post: async ({ urls, count, atOnce, body }: Posting) => {
    const targets = urls.map((url) => new URL(url));
    const queue = Array.from({ length: count }, (_, index) => targets[index % targets.length]).values();
    await Promise.all(
      Array.from({ length: atOnce }, async () => {
        for (const url of queue) if (url) await postTo(url, body);
      }),
    );
  },
});
