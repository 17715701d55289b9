import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from './command.ts';
import { lastingPort } from './lasting-port.ts';
import { until } from './until.ts';

/** A proxy with a configuration of its own. */
export type Nginx = {
  readonly url: string;
  /** Replaces the part with the maps, and reloads. Requests under way end at their upstream. */
  reload(maps: string): Promise<void>;
  close(): Promise<void>;
};

/** Starts Debian's nginx on a free port. `maps` and `server` are parts of its configuration. */
export async function startNginx(maps: string, server: string): Promise<Nginx> {
  const folder = await mkdtemp(join(tmpdir(), 'paygraph-nginx-'));
  const port = await lastingPort();
  const file = join(folder, 'nginx.conf');
  const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  await writeFile(
    file,
    `user root;
daemon off;
worker_processes 1;
pid ${folder}/nginx.pid;
error_log ${folder}/error.log;
events {}
http {
  access_log off;
${places.map((place) => `  ${place}_temp_path ${folder}/${place};`).join('\n')}
  include ${folder}/cells.conf;
  server {
    listen 127.0.0.1:${port};
${server}
  }
}`,
  );
  await writeFile(join(folder, 'cells.conf'), maps);
  const words = ['-p', folder, '-c', file, '-e', join(folder, 'error.log')];
  const nginx = run('/usr/sbin/nginx', words, {});
  const url = `http://127.0.0.1:${port}`;
  await until(async () => {
    if (nginx.child.exitCode !== null) throw new Error(`nginx ended: ${nginx.stderr()}`);
    return await fetch(`${url}/health`).then(
      () => true,
      () => false,
    );
  }, 'nginx');
  return {
    url,
    reload: async (changed) => {
      await writeFile(join(folder, 'cells.conf'), changed);
      const { code, stderr } = await run('/usr/sbin/nginx', [...words, '-s', 'reload'], {}).ended;
      if (code !== 0) throw new Error(`nginx did not reload: ${stderr}`);
    },
    close: async () => {
      await nginx.end('SIGQUIT');
      await rm(folder, { recursive: true, force: true });
    },
  };
}
