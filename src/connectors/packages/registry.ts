import type { Log } from '../../platform/log.ts';
import { OperatorError } from '../../platform/operator-error.ts';
import { antiFraudConnectors } from '../anti-fraud/index.ts';
import type { AntiFraudConnector } from '../anti-fraud/connector.ts';
import { connectors } from '../index.ts';
import type { Connector } from '../interface/connector.ts';
import type { PackageName } from '../interface/definition.ts';
import { enclose, encloseAntiFraud, type Surroundings } from './enclose.ts';
import { HOUSE } from './house.ts';
import { loadPackage, usable, type LoadedPackage } from './load-package.ts';
import { surviveStrayErrors } from './stray-errors.ts';

/** All connectors of a process. */
export type Registry = {
  readonly connectors: readonly Connector[];
  readonly antiFraudConnectors: readonly AntiFraudConnector[];
};

type Wanted = Surroundings & {
  /** The packages that PAYGRAPH_CONNECTORS names. */
  readonly packages: readonly string[];
};

/**
 * Joins the connectors of this repository and those of packages. Throws an OperatorError for a package that cannot be used, or
 * if two connectors or definitions have one id.
 */
export async function openRegistry({ packages, ...surroundings }: Wanted): Promise<Registry> {
  const house: Registry = { connectors, antiFraudConnectors };
  if (packages.length === 0) return house;
  surviveStrayErrors(surroundings.log);
  const loaded: LoadedPackage[] = [];
  for (const each of new Set(packages)) loaded.push(await loadPackage(each));
  requireDistinctIds(house, loaded);
  tell(loaded, surroundings.log);
  return {
    connectors: [
      ...house.connectors,
      ...loaded.flatMap(({ given, name, content }) =>
        usable(given, () => content.connectors.map((each) => enclose(each, name, surroundings))),
      ),
    ],
    antiFraudConnectors: [
      ...house.antiFraudConnectors,
      ...loaded.flatMap(({ given, name, content }) =>
        usable(given, () =>
          (content.antiFraud ?? []).map((each) => encloseAntiFraud(each, name, surroundings)),
        ),
      ),
    ],
  };
}

type Defining = { readonly id: string; readonly definitions: readonly { readonly id: string }[] };

function requireDistinctIds(house: Registry, loaded: readonly LoadedPackage[]): void {
  const kinds = [
    {
      own: house.connectors,
      theirs: loaded.flatMap(({ name, content }) => content.connectors.map((each) => ({ name, each }))),
    },
    {
      own: house.antiFraudConnectors,
      theirs: loaded.flatMap(({ name, content }) =>
        (content.antiFraud ?? []).map((each) => ({ name, each })),
      ),
    },
  ];
  const clashes = kinds.flatMap(({ own, theirs }) => clashesOf(own, theirs));
  if (clashes.length > 0) throw new OperatorError(clashes.join('\n'));
}

type Theirs = { readonly name: PackageName; readonly each: Defining };

function clashesOf(own: readonly Defining[], theirs: readonly Theirs[]): readonly string[] {
  const all = [...own.map((each) => ({ name: HOUSE, each })), ...theirs];
  const named = all.flatMap(({ name, each }) => [
    { what: `connector ${each.id}`, name },
    ...each.definitions.map(({ id }) => ({ what: `definition ${id}`, name })),
  ]);
  return [...Map.groupBy(named, ({ what }) => what)].flatMap(([what, owners]) => {
    const names = owners.map(({ name }) => name.name);
    return owners.length < 2
      ? []
      : `The ${what} is in ${names.join(' and in ')}. Remove one package from PAYGRAPH_CONNECTORS.`;
  });
}

function tell(loaded: readonly LoadedPackage[], log: Log): void {
  for (const { name, content } of loaded)
    log.info(
      { package: name.name, version: name.version, connectors: content.connectors.map(({ id }) => id) },
      'Connectors of a package are loaded.',
    );
}
