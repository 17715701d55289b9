import type { App, Viewer } from '../app.ts';
import type { Loaders } from './loaders.ts';

/** The context of every resolver. Each HTTP request and each websocket operation gets its own. */
export type GraphContext = {
  readonly app: App;
  readonly viewer: Viewer;
  readonly loaders: Loaders;
  /** Names the request in logs and in masked errors. */
  readonly requestId: string;
};
