import { pino } from 'pino';
import type { CallContext, Definition, Outcome } from '../../../src/connectors/door.ts';
import { noFeatures } from '../../../src/connectors/interface/definition.ts';
import { enclose } from '../../../src/connectors/packages/enclose.ts';
import type { ConnectorPackage, PackagedConnector } from '../../../src/connectors/packages/package.ts';
import type { HttpSender } from '../../../src/platform/http/reply.ts';
import { noTokens } from '../../support/no-tokens.ts';

const definition: Definition = {
  ...{ id: 'acme-card', displayName: 'Acme', method: 'card' },
  fields: [{ key: 'api_key', displayName: 'API key', required: true, format: 'text', secret: true }],
  ...{ reportingFields: [], supportedCurrencies: ['EUR'], supportedCountries: [] },
  supportedFeatures: { ...noFeatures, raw_card_data: true, refunds: true },
  ...{ approvalWindow: null, decisionWindowMs: 60_000, deadlineMs: 10_000, sandboxOnly: false },
};

const approved: Outcome = {
  ...{ kind: 'succeeded', reference: 'A1', money: { amount: 1299, currency: 'EUR' } },
  ...{ rawResponseCode: null, rawResponseDescription: null },
};

/** A connector of a package that approves everything, with these changes. */
export const acme = (changes: Partial<PackagedConnector> = {}): PackagedConnector => ({
  ...{ id: 'acme', definitions: [definition], recovery: { kind: 'none' } },
  hosts: { production: ['api.acme.example'], sandbox: ['sandbox.acme.example', '127.0.0.1:*'] },
  tested: ['raw_card_data', 'refunds'],
  authorize: () => Promise.resolve(approved),
  capture: () => Promise.resolve(approved),
  refund: () => Promise.resolve(approved),
  void: () => Promise.resolve(approved),
  cancel: () => Promise.resolve(approved),
  lookup: () => Promise.resolve(null),
  ...changes,
});

/** The export of a package with this connector. */
export const acmePackage = (changes: Partial<PackagedConnector> = {}): ConnectorPackage => ({
  ...{ interface: 1, connectors: [acme(changes)] },
});

export const withDefinition = (changes: Partial<Definition>): Partial<PackagedConnector> => ({
  definitions: [{ ...definition, ...changes }],
});

/** Encloses the connector for a sandbox. `lines` are those of its log. */
export function enclosed(changes: Partial<PackagedConnector>) {
  const lines: string[] = [];
  const log = pino({ base: null }, { write: (line: string) => void lines.push(line) });
  const from = { name: '@acme/paygraph-acme', version: '1.2.3' };
  return { connector: enclose(acme(changes), from, { environment: 'sandbox', log }), log, lines };
}

export const contextOf = (http: HttpSender, deadlineMs = 5_000): CallContext => ({
  ...{ definition, credentials: { api_key: 'secret of acme' }, environment: 'sandbox' },
  ...{ http, accessTokens: noTokens(), deadlineMs },
});
