import type { Connector } from '../../../src/connectors/interface/connector.ts';
import type { Definition, Feature } from '../../../src/connectors/interface/definition.ts';
import { isRedirectMethod } from '../../../src/connectors/codes/method-name.ts';
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

/**
 * Writes the table of the definitions that move money, with their methods and abilities. The name of a connector is that of its
 * guide. The redirects of a connector share a row, in which some have an ability and others lack it.
 */
export const providersTable = (): string =>
  table(
    ['definition', 'method', ...ABILITIES.map(([name]) => name)],
    connectors.flatMap((connector) => {
      const real = connector.definitions.filter(({ sandboxOnly }) => !sandboxOnly);
      const redirects = real.filter(({ method }) => isRedirectMethod(method));
      const alone = real.filter(({ method }) => !isRedirectMethod(method)).map((each) => [each]);
      return [...alone, ...(redirects.length === 0 ? [] : [redirects])].map((group) =>
        rowOf(connector, group),
      );
    }),
  );

function rowOf(connector: Connector, group: readonly Definition[]): readonly string[] {
  const [{ id, method } = { id: '', method: '' }, ...others] = group;
  const more = ` and [${others.length} more](src/docs/guides/payment-methods.md)`;
  return [
    `[${code(id)}](src/docs/guides/${connector.id}.md)`,
    code(method) + (others.length === 0 ? '' : more),
    ...ABILITIES.map(([, test]) => {
      const able = group.filter((definition) => test(connector, definition)).length;
      if (able === 0) return '';
      return able === group.length ? 'yes' : 'some';
    }),
  ];
}

/** Writes the README, whose table of providers comes from the code. */
export const readmePage = (): Promise<string> => withTable('README.md', providersTable());
