import { eventLine } from '../service/event-line.ts';
import { followFeed, type FollowOptions } from '../service/follow.ts';

/** Prints each event of the feed as a line, until Ctrl-C. With `--json` the line is the payload. */
export async function tail(options: FollowOptions): Promise<void> {
  await followFeed('tail', options, (event) => {
    process.stdout.write(`${options.json ? event.payload : eventLine(event)}\n`);
  });
}
