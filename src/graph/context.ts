import type { App, Viewer } from '../app.ts';
import type { Loaders } from './loaders.ts';

/** What every resolver gets as its context: made new for each HTTP request and each websocket operation. */
export type GraphContext = {
  readonly app: App;
  readonly viewer: Viewer;
  readonly loaders: Loaders;
  /** Names the request in logs and in masked errors. */
  readonly requestId: string;
};
