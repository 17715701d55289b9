import type { App, Viewer } from '../../app.ts';
import type { GraphContext } from '../../graph/context.ts';
import { createLoaders } from '../../graph/loaders.ts';

/** What resolvers get, the same for HTTP and websockets. Make one for each operation: its loaders remember what they read. */
export const createContext = (app: App, viewer: Viewer, requestId: string): GraphContext => ({
  app,
  viewer,
  loaders: createLoaders(app, viewer),
  requestId,
});
