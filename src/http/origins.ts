import type { App } from '../app.ts';

/** Where this server is reached: the public address, and for a server on this machine its names of the machine. */
export function ownOrigins(app: App, port: number): ReadonlySet<string> {
  const { config, publicUrl } = app;
  const local = config.production
    ? []
    : ['localhost', '127.0.0.1', '[::1]'].map((host) => `http://${host}:${port}`);
  return new Set([new URL(publicUrl).origin, ...local]);
}

/** Whether a page of this origin may open a websocket. No origin means that no browser is asking. */
export const mayConnect = (app: App, port: number, origin: string | undefined): boolean =>
  origin === undefined ||
  ownOrigins(app, port).has(origin) ||
  app.config.PAYGRAPH_ALLOWED_ORIGINS.includes(origin);
