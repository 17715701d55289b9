import { AsyncLocalStorage } from 'node:async_hooks';
import type { CallContext } from '../../../src/connectors/interface/call-context.ts';
import type { Connector } from '../../../src/connectors/interface/connector.ts';
import type { RefundedCapture, Verb } from '../../../src/connectors/interface/requests.ts';
import type { Money } from '../../../src/kernel/money.ts';

/** The call of a connector. Its connector sends one request or several to the provider. */
export type ConnectorCall = {
  /** The verb. `status` is a look-up. */
  readonly verb: Verb | 'status';
  /** The verb of the operation that a look-up asks about. */
  readonly about?: Verb;
  /** The key of the operation. */
  readonly key: string;
  readonly money: Money;
  /** True for an authorisation that also captures. */
  readonly capture: boolean;
  /** The captures of a refund. */
  readonly captures: readonly RefundedCapture[];
};

/** Returns the verb of a request. A look-up whose request changes something carries its operation out. */
export const verbOf = (call: ConnectorCall | null, isQuestion: boolean): ConnectorCall['verb'] =>
  call?.verb === 'status' && !isQuestion ? (call.about ?? 'status') : (call?.verb ?? 'status');

const calls = new AsyncLocalStorage<ConnectorCall>();

/** Returns the connector's call in which this code runs. */
export const currentCall = (): ConnectorCall | null => calls.getStore() ?? null;

type Asked = {
  readonly verb?: Verb;
  readonly key: string;
  readonly money: Money;
  readonly capture?: boolean;
  readonly captures?: readonly RefundedCapture[];
};

/** Makes the calls of a connector known to the network. */
export function followed(connector: Connector): Connector {
  const within =
    <Request extends Asked, Answered>(
      verb: ConnectorCall['verb'],
      call: (context: CallContext, request: Request) => Promise<Answered>,
    ) =>
    (context: CallContext, request: Request): Promise<Answered> => {
      const { verb: about, key, money, capture = false, captures = [] } = request;
      const asked = { verb, key, money, capture, captures, ...(about && { about }) };
      return calls.run(asked, () => call(context, request));
    };
  return {
    ...connector,
    authorize: within('authorize', (context, request) => connector.authorize(context, request)),
    capture: within('capture', (context, request) => connector.capture(context, request)),
    refund: within('refund', (context, request) => connector.refund(context, request)),
    void: within('void', (context, request) => connector.void(context, request)),
    cancel: within('cancel', (context, request) => connector.cancel(context, request)),
    lookup: within('status', (context, request) => connector.lookup(context, request)),
    ...(connector.resume && { resume: within('authorize', connector.resume.bind(connector)) }),
  };
}
