import type { App } from '../app.ts';

/** Lists the origins of this server: the public address, and for a local server the machine's names. */
export function ownOrigins(app: App, port: number): ReadonlySet<string> {
  const { config, publicUrl } = app;
  const local = config.production
    ? []
    : ['localhost', '127.0.0.1', '[::1]'].map((host) => `http://${host}:${port}`);
  return new Set([new URL(publicUrl).origin, ...local]);
}

/** Tells whether a page of this origin may open a websocket. A missing origin means that no browser is asking. */
export const mayConnect = (app: App, port: number, origin: string | undefined): boolean =>
  origin === undefined ||
  ownOrigins(app, port).has(origin) ||
  app.config.PAYGRAPH_ALLOWED_ORIGINS.includes(origin);
