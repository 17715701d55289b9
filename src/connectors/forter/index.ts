import type { AntiFraudConnector } from '../door.ts';
import { readCallback } from './callback.ts';
import { decisionIn } from './decision.ts';
import { forterAntiFraud } from './definition.ts';
import { exchange, FORTER_HOST, type ForterHost } from './exchange.ts';
import { orderOf } from './order.ts';
import { tookReport } from './report.ts';
import { toldOf } from './status.ts';

/**
 * Creates the connector for Forter. Only tests have another address than Forter's own.
 *
 * - The versions are values of a header. The paths and the forms of the requests are the same.
 * - The id of a payment is the id of its order, so a repeat updates the same order.
 */
export const createForter = (hostOf: ForterHost): AntiFraudConnector => ({
  id: 'forter',
  definitions: [forterAntiFraud],
  check: async (context, request) => {
    const { interfaceVersion: version, now } = context;
    const path = `/v2/orders/${encodeURIComponent(request.key)}`;
    const exchanged = await exchange(context, hostOf, path, orderOf(request, now));
    if ('cause' in exchanged) return { kind: 'unknown', cause: exchanged.cause };
    return decisionIn(exchanged.answer, { key: request.key, version });
  },
  report: async (context, request) => {
    const told = toldOf(request, context.interfaceVersion);
    return told ? tookReport(await exchange(context, hostOf, told.path, told.body)) : { kind: 'done' };
  },
  readWebhook: readCallback,
});

export const forter: AntiFraudConnector = createForter(FORTER_HOST);
