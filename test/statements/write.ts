import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LISTING, makeListing, readListing } from './listing.ts';

// Writes the listing of every prepared statement: `npm run statements`.
const listing = await makeListing();
for (const name of readListing().keys()) if (!listing.has(name)) rmSync(join(LISTING, name));
for (const [name, content] of listing) writeFileSync(join(LISTING, name), content);
