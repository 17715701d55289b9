// oxlint-disable typescript/no-unsafe-assignment, typescript/no-unsafe-call, typescript/no-unsafe-member-access -- types are absent

import { createServer } from 'node:http';
import { postgraphile } from 'postgraphile';
import { makePgService } from 'postgraphile/adaptors/pg';
import { grafserv } from 'postgraphile/grafserv/node';
import { PostGraphileAmberPreset } from 'postgraphile/presets/amber';
import { serve } from '../child.ts';
import { openPool } from '../reads/statements.ts';

// A process that answers each kind of read with PostGraphile 5 over the same tables. Its task is open.
// Its packages are installed apart, so no types are checked here.

serve({
  open: async (url) => {
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
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address();
    return `http://127.0.0.1:${port}`;
  },
});
