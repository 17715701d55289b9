import { writeFile } from 'node:fs/promises';
import { WRITTEN_PAGES, writtenPage } from './written-pages.ts';

// `npm run docs`: writes the reference pages from the code.

for (const path of Object.keys(WRITTEN_PAGES)) {
  await writeFile(path, await writtenPage(path));
  process.stdout.write(`${path}\n`);
}
