import { defineConfig } from 'prisma/config';

// `prisma generate` would download its native schema engine, which it does not need: naming any existing
// executable stops that. Migrations run on the wasm build of the same engine (src/platform/migrate).
process.env['PRISMA_SCHEMA_ENGINE_BINARY'] ??= process.execPath;

export default defineConfig({
  schema: '../prisma',
  migrations: { path: '../prisma/migrations' },
});
