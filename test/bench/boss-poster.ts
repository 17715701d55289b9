import pLimit from 'p-limit';
import { PgBoss } from 'pg-boss';
import { serve } from './child.ts';
import { postsOf, postTo, type Post, type Posting } from './post.ts';

// A process that makes each request in a job of pg-boss. Its tasks in each round are open, add, work and rest.

const QUEUE = 'post';

let boss: PgBoss | null = null;

serve({
  open: async (url: string) => {
    boss = new PgBoss(url);
    await boss.start();
    await boss.createQueue(QUEUE);
  },
  add: (posting: Posting) =>
    boss?.insert(
      QUEUE,
      postsOf(posting).map((data) => ({ data })),
    ),
  work: (atOnce: number) => {
    const limit = pLimit(atOnce);
    return boss?.work<Post>(QUEUE, BATCHES, (jobs) =>
      Promise.all(jobs.map(({ data }) => limit(() => postTo(data.url, data.body)))),
    );
  },
  rest: () => boss?.stop(),
});

/**
 * The quickest settings on two cores, of those that the library documents. One worker posts while the other fetches or
 * completes. After a full batch a worker fetches again without a pause. A failed post would repeat its whole batch.
 */
const BATCHES = {
  batchSize: 500,
  localConcurrency: 2,
  burstWhenBatchFull: true,
  pollingIntervalSeconds: 0.5,
};
