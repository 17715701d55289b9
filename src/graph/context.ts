import type { App, Viewer } from '../app.ts';
import { actingAs } from '../platform/database/acting.ts';
import type { Position } from '../platform/connections/position.ts';
import { createLoaders, type Loaders } from './loaders.ts';

export type Spend = (work: number) => number | null;

/** The context of every resolver. Each HTTP request and each websocket operation gets its own. */
export type GraphContext = {
  readonly app: App;
  readonly viewer: Viewer;
  readonly loaders: Loaders;
  /** Names the request in logs and in masked errors. */
  readonly requestId: string;
  /** Takes work from the budget of the merchant account. Returns the seconds to wait when too little is left. */
  readonly spend: Spend;
  /**
   * The value of the header `Idempotency-Key`, which is the key of the one money mutation of the request. Null without
   * the header, and for a websocket.
   */
  readonly keyHeader: string | null;
  /** The position that a replica must have to answer. Null: the primary answers. */
  readonly position: Position | null;
  /** The marks of the operation. Apollo copies the context, and both copies share the marks. */
  readonly marks: { mayChange: boolean };
};

/**
 * Creates the context of resolvers, the same for HTTP and websockets. Each operation needs its own, because loaders
 * cache what they read.
 */
export const createContext = (
  app: App,
  viewer: Viewer,
  { requestId, address = null, spend = unlimited, keyHeader = null, position = null }: Requested,
): GraphContext => {
  const { merchantAccountId, apiKeyPairId: id, subject = null, act = null } = viewer;
  const who =
    viewer.person === undefined
      ? ({ kind: 'api_key', id, subject, act } as const)
      : ({ kind: 'person', id: viewer.personId ?? id, subject: viewer.person } as const);
  const acting = actingAs(app, { ...who, address, requestId, merchantAccountId });
  const loaders = createLoaders(acting, viewer);
  return { app: acting, viewer, loaders, requestId, spend, keyHeader, position, marks: { mayChange: false } };
};

const unlimited: Spend = () => null;

/** Creates the context for one event of a subscription: the same caller with loaders of its own. The event has its own price. */
export const createEventContext = (context: GraphContext): GraphContext => ({
  ...context,
  loaders: createLoaders(context.app, context.viewer),
  spend: unlimited,
});

/** The part of a context that one request brings. Without `spend`, work is unlimited. */
export type Requested = Pick<GraphContext, 'requestId'> &
  Partial<Pick<GraphContext, 'spend' | 'keyHeader' | 'position'>> & {
    /** The address of the caller, for the audit log. */
    readonly address?: string | null;
  };
