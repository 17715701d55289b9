import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';

const FOLDER = 'src/docs/decisions';
const RECORDS = readdirSync(FOLDER)
  .filter((file) => file !== 'README.md')
  .sort();

/** The sections of a record, in order. The last two are there if they have content. */
const SECTIONS = /^Decision, Why(, Figures)?(, Left)?$/;

const DAYS = /^Decided on (\d{4}-\d{2}-\d{2})\.(?: Measured again on (\d{4}-\d{2}-\d{2})\.)?$/;

/** Lists the faults of a record: its title, its day, its sections. */
function faultsOf(text: string): string[] {
  const [title = '', , days = ''] = text.split('\n');
  const sections = [...text.matchAll(/^## (.*)$/gm)].map(([, section]) => section).join(', ');
  return [
    ...(title.startsWith('# ') ? [] : ['no title']),
    ...(DAYS.exec(days)?.slice(1).every(isDay) ? [] : ['no day']),
    ...(SECTIONS.test(sections) ? [] : [`sections: ${sections}`]),
  ];
}

const isDay = (text: string | undefined): boolean =>
  text === undefined || JSON.stringify(new Date(text)).startsWith(`"${text}`);

/** Reads the list: the file, the title and the explanation of each line. */
const listed = [
  ...readFileSync(`${FOLDER}/README.md`, 'utf8').matchAll(/^- \[([^\]]+)\]\(([^)]+)\): (.+)$/gm),
].map(([, title = '', file = '']) => ({ title, file }));

describe('the records of decisions', () => {
  it.each(RECORDS)('%s has a title, a day and sections', (file) => {
    expect(faultsOf(readFileSync(`${FOLDER}/${file}`, 'utf8'))).toEqual([]);
  });

  it('are all in the list, once, with their titles', () => {
    expect(listed.toSorted((a, b) => (a.file < b.file ? -1 : 1))).toEqual(
      RECORDS.map((file) => ({
        title: readFileSync(`${FOLDER}/${file}`, 'utf8').split('\n')[0]?.slice(2),
        file,
      })),
    );
  });

  it.each([
    ['', ['no title', 'no day', 'sections: ']],
    ['# A\n\nDecided on 2026-02-30.\n\n## Decision\n\n## Why\n', ['no day']],
    ['# A\n\nDecided on 2026-02-03.\n\n## Why\n\n## Decision\n', ['sections: Why, Decision']],
    ['# A\n\nDecided on 2026-02-03.\n\n## Decision\n\n## Why\n\n## Left\n', []],
  ])('are seen with their faults: %j', (text, faults) => {
    expect(faultsOf(text)).toEqual(faults);
  });
});
