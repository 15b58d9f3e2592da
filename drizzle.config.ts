import { defineConfig } from 'drizzle-kit';

export default defineConfig({
  dialect: 'postgresql',
  schema: ['./shop/*/*.sql.ts', './adapters/**/*.sql.ts', './server/http/common/*.sql.ts'],
  out: './db/migrations',
});
