import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { postgraphile } from 'postgraphile';
import { makePgService } from 'postgraphile/adaptors/pg';
import { grafserv } from 'postgraphile/grafserv/node';
import { PostGraphileAmberPreset } from 'postgraphile/presets/amber';
import { serve } from '../child.ts';
import { openPool } from './statements.ts';

// A process that answers each kind of read with PostGraphile 5 over the same tables. Its task is open.

serve({
  open: async (url: string) => {
    const pool = openPool(url, 'postgraphile');
    const instance = postgraphile({
      extends: [PostGraphileAmberPreset],
      // Hides the transactions of a buyer, because their index has a condition.
      disablePlugins: ['PgIndexBehaviorsPlugin'],
      pgServices: [makePgService({ pool, schemas: ['public'] })],
      grafserv: { graphiql: false, watch: false },
      grafast: { explain: false },
    });
    const server = createServer();
    await instance.createServ(grafserv).addTo(server);
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    return `http://127.0.0.1:${port}`;
  },
});
