import type { Connector } from '../../../src/connectors/interface/connector.ts';
import type { Definition, Feature } from '../../../src/connectors/interface/definition.ts';
import { connectors } from '../../../src/connectors/index.ts';
import { code, table, withTable } from './table.ts';

const has =
  (...features: readonly Feature[]) =>
  (_: Connector, { supportedFeatures }: Definition): boolean =>
    features.every((feature) => supportedFeatures[feature]);

type Ability = readonly [name: string, test: (connector: Connector, definition: Definition) => boolean];

/** The abilities that differ between definitions, as the definitions and the connectors' verbs say them. */
const ABILITIES: readonly Ability[] = [
  ['capture later', has('delayed_capture')],
  ['several captures', has('multiple_captures')],
  ['increase', has('incremental_authorization')],
  ['renewal', has('reauthorization')],
  ['void', has('void')],
  ['cancel', has('cancel')],
  ['refund', has('refunds')],
  ['partial refund', has('partial_refunds')],
  ['look-up', has('sync')],
  ['stored methods', has('payment_method_tokenization')],
  ['Apple Pay, Google Pay', has('apple_pay', 'google_pay')],
  ['network tokens', has('network_tokens')],
  ['instalments', has('installments')],
  ['3-D Secure', has('three_d_secure_hosted', 'three_d_secure_pass_through')],
  // The client of Adyen authenticates holders of cards alone.
  [
    "in the buyer's client",
    ({ id, sessions }, { method }) => sessions !== undefined && (id !== 'adyen' || method === 'card'),
  ],
  ['evidence for disputes', has('dispute_evidence')],
  ['settlements', has('settlement_reporting')],
];

/** Writes the table of the definitions that move money, with their methods and abilities. The name of a connector is that of its guide. */
export const providersTable = (): string =>
  table(
    ['definition', 'method', ...ABILITIES.map(([name]) => name)],
    connectors.flatMap((connector) =>
      connector.definitions
        .filter(({ sandboxOnly }) => !sandboxOnly)
        .map((definition) => [
          `[${code(definition.id)}](src/docs/guides/${connector.id}.md)`,
          code(definition.method),
          ...ABILITIES.map(([, test]) => (test(connector, definition) ? 'yes' : '')),
        ]),
    ),
  );

/** Writes the README, whose table of providers comes from the code. */
export const readmePage = (): Promise<string> => withTable('README.md', providersTable());
