import type { ZodType } from 'zod';
import { isObject } from '../../kernel/json.ts';
import type { Connector } from '../interface/connector.ts';
import type { Definition, Feature } from '../interface/definition.ts';
import { isMethod } from '../codes/method-name.ts';
import { INTERFACE_VERSION, type ConnectorPackage, type PackagedConnector } from './package.ts';
import * as forms from './package-forms.ts';

/**
 * Lists the mistakes of a package's default export as sentences. Begins each sentence with the place of the mistake. An empty
 * list means that the export is a `ConnectorPackage`.
 */
export function mistakesIn(given: unknown): readonly string[] {
  if (!isObject(given)) return ['It has no default export { interface: 1, connectors: [...] }.'];
  const { interface: version, connectors, antiFraud = [] } = given;
  if (version !== INTERFACE_VERSION) return [otherVersion(version)];
  if (!Array.isArray(connectors) || !Array.isArray(antiFraud))
    return ['connectors and antiFraud must be lists.'];
  const formal = [
    ...connectors.flatMap((each, at) => misfits(forms.connector, each, `connectors[${at}]`)),
    ...antiFraud.flatMap((each, at) => misfits(forms.antiFraud, each, `antiFraud[${at}]`)),
  ];
  if (connectors.length + antiFraud.length === 0) formal.push('connectors must have a connector.');
  // The further checks read the fields.
  return formal.length > 0 ? formal : (given as ConnectorPackage).connectors.flatMap(brokenPromises);
}

const otherVersion = (version: unknown): string =>
  `It has version ${typeof version === 'number' ? version : 'none'} of the connector interface, and this Paygraph has version ` +
  `${INTERFACE_VERSION}. Install the package in a version for this Paygraph.`;

function misfits(form: ZodType, given: unknown, place: string): readonly string[] {
  const issues = form.safeParse(given).error?.issues ?? [];
  return issues.map(({ path, message }) => {
    const steps = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`));
    return `${place}${steps.join('')} ${message}.`;
  });
}

/** The part of a connector that a feature promises. */
const NEEDED: readonly (readonly [Feature, string, (connector: Connector) => boolean])[] = [
  ['incremental_authorization', 'the verb increase', (given) => typeof given.increase === 'function'],
  ['reauthorization', 'the verb reauthorize', (given) => typeof given.reauthorize === 'function'],
  ['verify_credentials', 'the verb verify', (given) => typeof given.verify === 'function'],
  ['settlement_reporting', 'settlements', ({ settlements }) => settlements !== undefined],
  ['dispute_evidence', 'disputes.submitEvidence', ({ disputes }) => disputes?.submitEvidence !== undefined],
  ['dispute_acceptance', 'disputes.accept', ({ disputes }) => disputes?.accept !== undefined],
];

/** Lists the promises of definitions that nothing keeps, or that no test proves. */
function brokenPromises(connector: PackagedConnector): readonly string[] {
  const { definitions, sessions, giftCards } = connector;
  return [
    ...(sessions && typeof connector.resume !== 'function'
      ? [`${connector.id} has sessions, and lacks the verb resume.`]
      : []),
    ...definitions.flatMap((definition) => [
      ...unkept(connector, definition),
      ...(isMethod(definition.method) ? [] : [unfitMethod(definition)]),
      ...(definition.method === 'gift-card' && !giftCards
        ? [`${definition.id} has the method gift-card, and its connector lacks giftCards.`]
        : []),
    ]),
  ];
}

const unfitMethod = ({ id, method }: Definition): string =>
  `${id} has the method ${JSON.stringify(method)}. A method has 2 to 50 lower-case letters, digits, hyphens and underscores. ` +
  'It begins with a letter, and is no word with which the API names other means to pay.';

function unkept(connector: PackagedConnector, { id, supportedFeatures }: Definition): readonly string[] {
  const turnedOn = Object.entries(supportedFeatures).flatMap(([feature, isOn]) => (isOn ? [feature] : []));
  const untested = turnedOn.filter((feature) => !connector.tested.some((each) => each === feature));
  const lacking = NEEDED.filter(([feature, , has]) => supportedFeatures[feature] && !has(connector));
  return [
    ...lacking.map(([feature, part]) => `${id} has the feature ${feature}, and its connector lacks ${part}.`),
    ...untested.map(
      (feature) =>
        `${id} has the feature ${feature}, and "tested" does not list it. Test the feature, or turn it off.`,
    ),
  ];
}
