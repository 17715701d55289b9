import type { PrismaConfig } from 'prisma-cli/config';

// The command-line tool is installed as `prisma-cli`. Under its own name it would be an optional peer of `@prisma/client`,
// and `npm ci --omit=dev` would install its 160 MB.

// `prisma generate` would download its native schema engine, which it does not need: naming any existing
// executable stops that. Migrations are written by the wasm build of the same engine (src/platform/migrate).
process.env['PRISMA_SCHEMA_ENGINE_BINARY'] ??= process.execPath;

export default {
  schema: '../prisma',
  migrations: { path: '../prisma/migrations' },
} satisfies PrismaConfig;
