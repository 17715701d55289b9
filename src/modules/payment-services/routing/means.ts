import type { App } from '../../../app.ts';
import type { Definition } from '../../../connectors/interface/definition.ts';
import type { Field } from '../model/fields.ts';
import { findDefinition, listDefinitions } from '../model/definitions.ts';

/** The feature that a payment needs from a service for its means to pay. A bank account and most redirects need none. */
export type MeansFeature =
  | 'apple_pay'
  | 'card_page'
  | 'google_pay'
  | 'network_tokens'
  | 'provider_tokens'
  | 'raw_card_data';

/** Lists the ids of the catalogue's definitions that take cards, and lack a feature. */
export const listUnable = (
  app: Pick<App, 'connectors' | 'config'>,
  feature: MeansFeature | 'three_d_secure_pass_through',
): readonly string[] =>
  listDefinitions(app)
    .filter(({ method, supportedFeatures }) => method === 'card' && !supportedFeatures[feature])
    .map(({ id }) => id);

/** Lists the ids of the catalogue's definitions that take no instalments. */
export const listUnsplitting = (app: Pick<App, 'connectors' | 'config'>): readonly string[] =>
  listDefinitions(app)
    .filter(({ supportedFeatures }) => !supportedFeatures.installments)
    .map(({ id }) => id);

/** Lists the ids of the catalogue's definitions that do not share the money of a payment among accounts. */
export const listUnsharing = (app: Pick<App, 'connectors' | 'config'>): readonly string[] =>
  listDefinitions(app)
    .filter(({ supportedFeatures }) => !supportedFeatures.splits)
    .map(({ id }) => id);

/** Lists the ids of the catalogue's definitions that take no choice of a card's network. */
export const listUnchoosing = (app: Pick<App, 'connectors' | 'config'>, network: string): readonly string[] =>
  listDefinitions(app)
    .filter(
      ({ supportedFeatures, cardNetworks }) =>
        !supportedFeatures.card_network_choice || !cardNetworks?.includes(network),
    )
    .map(({ id }) => id);

/** Lists the ids of the catalogue's definitions that take only another currency in a country. Empty without a country. */
export const listForeign = (
  app: Pick<App, 'connectors' | 'config'>,
  { currency, country }: { readonly currency: string; readonly country: string | null },
): readonly string[] =>
  listDefinitions(app)
    .filter(({ localCurrencies }) => {
      const local = country === null ? undefined : localCurrencies?.[country];
      return local !== undefined && local !== currency;
    })
    .map(({ id }) => id);

/** True if a service asks its provider to authenticate the buyers of cards. Paygraph then authenticates nobody itself. */
export const asksProvider = (
  app: Pick<App, 'connectors' | 'config'>,
  service: { readonly definitionId: string; readonly threeDSecureEnabled: boolean },
): boolean =>
  service.threeDSecureEnabled &&
  findDefinition(app, service.definitionId)?.supportedFeatures.three_d_secure_by_provider === true;

/**
 * Lists the ids of the catalogue's definitions whose services take some means only if a field says so. The field has the name of
 * the feature.
 */
export const listGuarded = (
  app: Pick<App, 'connectors' | 'config'>,
  feature: MeansFeature,
): readonly string[] =>
  listDefinitions(app)
    .filter((definition) => isGuarded(definition, feature))
    .map(({ id }) => id);

const isGuarded = ({ fields }: Pick<Definition, 'fields'>, feature: MeansFeature): boolean =>
  fields.some(({ key }) => key === feature);

const RAW_CARD_DATA = 'raw_card_data';

/** Tells whether a service takes cards in clear. Routing has the same rule in SQL. */
export function takesCardsInClear(
  app: Pick<App, 'connectors' | 'config'>,
  { definitionId, fields }: { readonly definitionId: string; readonly fields: readonly Field[] },
): boolean {
  const definition = findDefinition(app, definitionId);
  if (!definition?.supportedFeatures.raw_card_data) return false;
  return (
    !isGuarded(definition, RAW_CARD_DATA) ||
    fields.some(({ key, value }) => key === RAW_CARD_DATA && value === 'true')
  );
}
