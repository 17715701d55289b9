import type { App, Viewer } from '../../app.ts';
import type { GraphContext } from '../../graph/context.ts';
import { createLoaders } from '../../graph/loaders.ts';

/**
 * Creates the context of resolvers, the same for HTTP and websockets. Each operation needs its own, because loaders
 * cache what they read.
 */
export const createContext = (app: App, viewer: Viewer, requestId: string): GraphContext => ({
  app,
  viewer,
  loaders: createLoaders(app, viewer),
  requestId,
});
