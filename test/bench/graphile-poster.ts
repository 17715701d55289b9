import { makeWorkerUtils, run, type Runner, type WorkerUtils } from 'graphile-worker';
import { serve } from './child.ts';
import { postsOf, postTo, type Post, type Posting } from './post.ts';

// A process that makes each request in a job of graphile-worker. Its tasks in each round are open, add, work and rest.

let connectionString = '';
let utils: WorkerUtils | null = null;
let runner: Runner | null = null;

serve({
  open: async (url: string) => {
    connectionString = url;
    utils = await makeWorkerUtils({ connectionString });
    await utils.migrate();
  },
  add: async (posting: Posting) => {
    await utils?.addJobs(postsOf(posting).map((payload) => ({ identifier: 'post', payload })));
  },
  work: async (atOnce: number) => {
    runner = await run({
      preset: { worker: { connectionString, ...settingsFor(atOnce) } },
      taskList: {
        post: (payload) => {
          const { url, body } = payload as Post;
          return postTo(url, body);
        },
      },
      parsedCronItems: [],
    });
  },
  rest: async () => {
    await runner?.stop();
    await utils?.release();
  },
});

/**
 * The settings that the library's documentation recommends for a high throughput. The local queue has the size of the
 * library's own performance test. A crash repeats the jobs whose completion still waits for its batch.
 */
const settingsFor = (concurrentJobs: number) => ({
  concurrentJobs,
  maxPoolSize: concurrentJobs + 2,
  localQueue: { size: 500 },
  completeJobBatchDelay: 25,
  failJobBatchDelay: 25,
});
