import { pino } from 'pino';
import { callConnector, type ConnectorCall } from '../../../src/connectors/calls/call.ts';
import { resumePayment } from '../../../src/connectors/calls/call-resume.ts';
import { readWebhook } from '../../../src/connectors/reading/read-webhook.ts';
import type { CallContext } from '../../../src/connectors/interface/call-context.ts';
import type { Definition } from '../../../src/connectors/interface/definition.ts';
import type { ResumeRequest } from '../../../src/connectors/interface/requests.ts';
import type { WebhookNotice } from '../../../src/connectors/notices/webhook.ts';
import { adyen } from '../../../src/connectors/adyen/index.ts';
import { createHttpClient, SANDBOX_NETWORKS } from '../../../src/platform/http/http-client.ts';
import { noTokens } from '../../support/no-tokens.ts';
import { sentTo } from '../double-server.ts';
import { createAdyenDouble, CREDENTIALS } from './double.ts';

const LOG = pino({ level: 'silent' });

/** Calls the double of Adyen through the connector, as the core does. */
export async function startDesk() {
  const double = createAdyenDouble();
  const client = createHttpClient({ allowedNetworks: SANDBOX_NETWORKS, allowInsecureHttp: true });
  const server = await double.listen();
  const contextOf = (definition: Definition): CallContext => ({
    ...{ definition, environment: 'sandbox', http: sentTo(client, server.url) },
    ...{ accessTokens: noTokens(), deadlineMs: 60_000, credentials: CREDENTIALS },
  });
  return {
    double,
    call: (definition: Definition, requested: ConnectorCall) =>
      callConnector(adyen, contextOf(definition), LOG, requested),
    resume: (definition: Definition, request: ResumeRequest) =>
      resumePayment(adyen, contextOf(definition), LOG, request),
    /** Reads everything that the double owes, as the core reads it. */
    told: (definition: Definition): readonly WebhookNotice[] =>
      double.webhooks().flatMap(({ headers, body }) => {
        const delivered = {
          headers,
          rawBody: Buffer.from(body),
          now: new Date(),
          environment: 'sandbox',
        } as const;
        const read = readWebhook(adyen, { ...delivered, credentials: CREDENTIALS, definition }, LOG);
        if (!read.ok) throw new Error(`${read.refusals[0]}: ${body}`);
        return read.value.notices;
      }),
    close: async () => {
      client.close();
      await server.close();
    },
  };
}
