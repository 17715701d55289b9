import { readFile } from 'node:fs/promises';
import { antiFraudConnectors } from '../../../src/connectors/anti-fraud/index.ts';
import { connectors } from '../../../src/connectors/index.ts';
import { WRITTEN } from './table.ts';

/** The section of a guide with its open points. It is the last one, and a list alone follows its first sentence. */
const SECTION = /^## To confirm with a test account\n\n(?<reason>[^\n]+):\n\n(?<points>- [\s\S]+)$/m;

/** Writes the open points of the guides to providers on one page. A guide is named after its connector. */
export async function toConfirmPage(): Promise<string> {
  const ids = [...connectors, ...antiFraudConnectors]
    .filter(({ definitions }) => definitions.some(({ sandboxOnly }) => !sandboxOnly))
    .map(({ id }) => id);
  const sections = await Promise.all(ids.map(sectionOf));
  return [
    '# To confirm with test accounts',
    WRITTEN,
    'No connector has run against its provider yet. These points need a test account before money depends on them.',
    'Each guide keeps its own list, and this page joins the lists.',
    ...sections,
    '',
  ].join('\n\n');
}

async function sectionOf(id: string): Promise<string> {
  const file = `src/docs/guides/${id}.md`;
  const guide = await readFile(file, 'utf8');
  const { reason, points } = SECTION.exec(guide)?.groups ?? {};
  if (reason === undefined || points === undefined) throw new Error(`${file} has no list of open points.`);
  const [, name = id] = /^# (.+)$/m.exec(guide) ?? [];
  const source = `The guide [${name}](${id}.md) explains the operations.`;
  return `## ${name}\n\n${source} ${reason}:\n\n${points.trimEnd()}`;
}
