import { LOCALE, writeList } from '../../design/value.tsx';
import { METHOD_NAMES, spell } from '../../design/method-names.ts';
import { texts } from '../../texts/texts.ts';
import type { Definition } from './query.ts';

const METHODS: Readonly<Record<string, string>> = texts.services.methods;

/**
 * Names a method. A method that is newer than the dashboard has the name of its definition, if the place knows it. Its word of
 * the API stands elsewhere, with a capital letter.
 */
export const methodName = (method: string, definition?: { readonly displayName: string } | null): string =>
  METHODS[method] ?? METHOD_NAMES[method] ?? definition?.displayName ?? spell(method);

/** The package of the connectors of Paygraph itself. */
const OWN_PACKAGE = 'paygraph';

/** Names the package of a connector, with its version. */
export const packageName = ({ package: { name, version } }: Pick<Definition, 'package'>): string =>
  `${name} ${version}`;

/** Names a definition in a list. The package is named if it is not Paygraph itself. */
export function definitionName(definition: Definition): string {
  const name = texts.services.form.definitionOf(definition.displayName, methodName(definition.method));
  return definition.package.name === OWN_PACKAGE ? name : `${name} · ${packageName(definition)}`;
}

const WHOLE = new Intl.NumberFormat(LOCALE, { style: 'percent' });
const PART = new Intl.NumberFormat(LOCALE, {
  ...{ style: 'percent', minimumFractionDigits: 1, maximumFractionDigits: 1 },
});

/** Writes a share, 0 to 1. All but none and all have one decimal, so that the shares of a column align. */
export const writeShare = (share: number): string =>
  (share === 0 || share === 1 ? WHOLE : PART).format(share);

/** The most names that a list shows in full. */
const NAMES_MAX = 6;

/** Writes the names of codes as a list, and counts those behind the first. */
export const writeNames = (names: readonly string[]): string =>
  writeList(
    names.length > NAMES_MAX
      ? [...names.slice(0, NAMES_MAX - 1), texts.services.form.more(names.length - NAMES_MAX + 1)]
      : names,
  );
