import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import packageJson from '../../package.json' with { type: 'json' };
import { parseConfig, settingNames } from '../../src/platform/process/config.ts';
import { INSTALL_MS, installApart } from '../support/install-apart.ts';
import { masterKeyText } from '../support/master-key.ts';
import { openHelm, type Helm } from './chart-tools/helm.ts';
import { invalidValues, unknownKeys, type Manifest } from './chart-tools/kinds.ts';

// No cluster is here to install the chart on. The chart is rendered, and each manifest is compared with its kind.

const VALUES = { publicUrl: 'https://pay.example.com', existingSecret: 'paygraph-settings' };
const SECRET = { DATABASE_URL: 'postgresql://pay@db/pay', PAYGRAPH_MASTER_KEY: masterKeyText(1) };

/** Values that turn every part of the chart on. */
const ALL = {
  ...VALUES,
  imagePullSecrets: [{ name: 'registry' }],
  api: { autoscaling: { enabled: true } },
  metrics: { enabled: true, podMonitor: { enabled: true, labels: { release: 'prometheus' } } },
  settings: { DATABASE_POOL: 32, LOG_LEVEL: 'warn' },
  podAnnotations: { 'example.com/team': 'payments' },
  nodeSelector: { pool: 'payments' },
  tolerations: [{ key: 'payments', operator: 'Exists', effect: 'NoSchedule' }],
};

let helm: Helm;
let parseYaml: (text: string) => Manifest | null;

beforeAll(async () => {
  await installApart('test/deploy/chart-tools');
  const yaml: string = './chart-tools/node_modules/yaml/dist/index.js';
  const { default: read } = (await import(yaml)) as { default: { parse: typeof parseYaml } };
  [helm, parseYaml] = [await openHelm(), read.parse];
}, INSTALL_MS);
afterAll(() => helm.close());

async function render(values: object): Promise<readonly Manifest[]> {
  const documents = (await helm.run('template', values)).split(/^---$/m).map(parseYaml);
  return documents.filter((each) => each !== null);
}

type Pod = {
  readonly containers: readonly {
    readonly env: readonly { readonly name: string; readonly value: string }[];
    readonly envFrom: readonly unknown[];
    readonly args?: readonly string[];
    readonly livenessProbe: { readonly httpGet: unknown };
    readonly readinessProbe: { readonly httpGet: unknown };
    readonly resources: unknown;
  }[];
};
type WithPod = {
  readonly template: { readonly metadata: { readonly annotations?: unknown }; readonly spec: Pod };
};

/** The container of each deployment and of the job, by the name of the manifest. */
const containersOf = (manifests: readonly Manifest[]) =>
  manifests
    .filter(({ kind }) => kind === 'Deployment' || kind === 'Job')
    .flatMap(({ metadata, spec }) =>
      (spec as WithPod).template.spec.containers.map((container) => ({ name: metadata.name, container })),
    );

describe('the chart', () => {
  it.each([
    ['the required values alone', VALUES],
    ['every part', ALL],
  ])('renders manifests that their kinds accept, with %s', async (_name, values) => {
    expect(await helm.run('lint', values)).toContain('0 chart(s) failed');
    const manifests = await render(values);

    expect(await invalidValues(manifests)).toEqual([]);
    expect(unknownKeys(manifests)).toEqual([]);
  });

  it('would notice an unknown key and a wrong value in a manifest', async () => {
    const [service] = (await render(VALUES)).filter(({ kind }) => kind === 'Service');
    const wrong = { ...service, spec: { ports: [{ port: 80, portt: 80 }] } } as unknown as Manifest;
    const invalid = { ...service, spec: { ports: [{ port: 'eighty' }] } } as unknown as Manifest;

    expect(unknownKeys([wrong])).toEqual([expect.stringContaining('portt')]);
    expect(await invalidValues([invalid])).toEqual([expect.stringContaining('port')]);
  });

  it('has these manifests, and the migration before the others', async () => {
    const names = (await render(ALL)).map(({ kind, metadata }) => `${kind} ${metadata.name}`);

    expect(names.toSorted()).toEqual([
      'Deployment shop-api',
      'Deployment shop-worker',
      'HorizontalPodAutoscaler shop-api',
      'Job shop-migrate',
      'NetworkPolicy shop',
      'NetworkPolicy shop-api',
      'NetworkPolicy shop-worker',
      'PodDisruptionBudget shop-api',
      'PodDisruptionBudget shop-worker',
      'PodMonitor shop',
      'Service shop',
    ]);
    expect(await readFile('src/deploy/chart/templates/migrate.yaml', 'utf8')).toContain(
      'helm.sh/hook: pre-install,pre-upgrade',
    );
  });

  it('gives every process an environment that starts, with secrets by reference alone', async () => {
    const containers = containersOf(await render(ALL));
    expect(containers.map(({ name }) => name).toSorted()).toEqual([
      'shop-api',
      'shop-migrate',
      'shop-worker',
    ]);
    for (const { container } of containers) {
      const settings = Object.fromEntries(container.env.map(({ name, value }) => [name, value]));
      expect(Object.keys(settings).filter((name) => !settingNames.includes(name))).toEqual([]);
      const config = parseConfig({ ...settings, ...SECRET, NODE_ENV: 'production' });
      expect(config).toMatchObject({ PORT: 4000, PAYGRAPH_METRICS: true, DATABASE_POOL: 32 });
      expect(container.envFrom).toEqual([{ secretRef: { name: 'paygraph-settings' } }]);
    }
  });

  it.each([
    ['a misspelt value', { ...VALUES, replica: 3 }, "additional properties 'replica' not allowed"],
    ['a misspelt setting', { ...VALUES, settings: { PAYGRAPH_METRIC: 'true' } }, "'PAYGRAPH_METRIC'"],
    ['a secret in plain sight', { ...VALUES, settings: SECRET }, "invalid propertyName 'DATABASE_URL'"],
    [
      'metrics by the name of their setting',
      { ...VALUES, settings: { PAYGRAPH_METRICS: true } },
      'PAYGRAPH_METRICS',
    ],
    ['a monitor without metrics', { ...VALUES, metrics: { podMonitor: { enabled: true } } }, 'needs metrics'],
    ['no public address', { existingSecret: 'paygraph' }, 'publicUrl: the address'],
    ['no secret', { publicUrl: 'https://pay.example.com' }, 'existingSecret: the name'],
  ])('refuses %s', async (_name, values, sentence) => {
    await expect(helm.run('template', values)).rejects.toThrow(sentence);
  });

  it('gives each kind of pod one role, and both kinds the same probes', async () => {
    const containers = containersOf(await render(VALUES)).filter(({ name }) => name !== 'shop-migrate');
    const rolesOf = ({ env }: (typeof containers)[number]['container']) =>
      env.find(({ name }) => name === 'PAYGRAPH_ROLES')?.value;
    const [api, worker] = containers.map(({ container }) => container);

    expect(containers.map(({ name, container }) => [name, rolesOf(container)])).toEqual([
      ['shop-api', 'api'],
      ['shop-worker', 'worker'],
    ]);
    expect([worker?.livenessProbe.httpGet, worker?.readinessProbe.httpGet]).toEqual([
      { path: '/health', port: 'http' },
      { path: '/ready', port: 'http' },
    ]);
    expect(api).toEqual({ ...worker, env: api?.env, resources: api?.resources });
  });

  it('lets readers of metrics find every pod once: by annotations, or by a monitor', async () => {
    const metrics = { enabled: true };
    const annotationsOf = async (values: object) =>
      (await render(values))
        .filter(({ kind }) => kind === 'Deployment')
        .map(({ spec }) => (spec as WithPod).template.metadata.annotations);
    const scraped = {
      'prometheus.io/scrape': 'true',
      'prometheus.io/port': '4000',
      'prometheus.io/path': '/metrics',
    };

    expect(await annotationsOf(VALUES)).toEqual([undefined, undefined]);
    expect(await annotationsOf({ ...VALUES, metrics })).toEqual([scraped, scraped]);
    expect(await annotationsOf(ALL)).toEqual([ALL.podAnnotations, ALL.podAnnotations]);
  });

  it('opens a worker for readers of metrics alone, and for nobody without metrics', async () => {
    const from = [{ namespaceSelector: { matchLabels: { name: 'ingress' } } }];
    const metricsFrom = [{ namespaceSelector: { matchLabels: { name: 'monitoring' } } }];
    const peersOf = async (values: object) =>
      (await render({ ...VALUES, ...values }))
        .filter(({ kind }) => kind === 'NetworkPolicy')
        .map(({ metadata, spec }) => {
          const { ingress = [] } = spec as { readonly ingress?: readonly { readonly from: unknown }[] };
          return [metadata.name, ...ingress.map((each) => each.from)];
        });
    const networkPolicy = { from, metricsFrom };

    expect(await peersOf({ networkPolicy, metrics: { enabled: true } })).toEqual([
      ['shop'],
      ['shop-api', [...from, ...metricsFrom]],
      ['shop-worker', metricsFrom],
    ]);
    expect(await peersOf({ networkPolicy })).toEqual([['shop'], ['shop-api', from]]);
    expect(await peersOf({ networkPolicy: { from, metricsFrom: [] }, metrics: { enabled: true } })).toEqual([
      ['shop'],
      ['shop-api', from],
    ]);
  });

  it('has the version of the service', async () => {
    const chart = await readFile('src/deploy/chart/Chart.yaml', 'utf8');
    expect(chart).toContain(`\nversion: ${packageJson.version}\nappVersion: ${packageJson.version}\n`);
  });
});
