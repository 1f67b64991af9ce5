import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

const root = fileURLToPath(new URL('.', import.meta.url));

/** What an endpoint does, in words, is for the API document: the browser does not carry it. */
const withoutSummaries: Plugin = {
  name: 'without-summaries',
  transform: (code, id) =>
    id.includes('/packages/contract/src/')
      ? { code: code.replace(/\bsummary:\s*(['"])(?:(?!\1)[^\\]|\\.)*\1,/g, ''), map: null }
      : undefined,
};

/**
 * What every page needs, and what every page inside the frame does: with what these import they are two files, which
 * pack better than thirty small ones.
 */
const GROUND = [
  '/@mantine/core/esm/components/Button/Button.mjs',
  '/contract/src/auth.ts',
  '/web/src/session.ts',
  '/web/src/ui/show/EmptyState.tsx',
  '/web/src/ui/alerts/store.ts',
];
const INSIDE = [
  '/contract/src/figures.ts',
  '/contract/src/settings.ts',
  '/web/src/records/reads.ts',
  '/web/src/shell/menu.ts',
  '/web/src/ui/hooks/settled.ts',
  '/web/src/ui/show/Amount.tsx',
  '/web/src/ui/show/Figure.tsx',
  '/web/src/ui/show/Status.tsx',
];
const together = (name: string, files: readonly string[], priority: number) => ({
  name,
  priority,
  test: (id: string) => files.some((each) => id.endsWith(each)),
});

/** The web build: `apps/web/dist`. In development /api goes to the server named by EVENKEEL_API. */
export default defineConfig({
  root,
  plugins: [withoutSummaries, react()],
  // The browser reads replies by the contract's shapes; the library that checks requests stays on the server.
  resolve: {
    alias: [
      { find: /^zod$/, replacement: fileURLToPath(new URL('../../packages/contract/src/light.ts', import.meta.url)) },
    ],
  },
  server: {
    proxy: { '/api': { target: process.env['EVENKEEL_API'] ?? 'http://127.0.0.1:3000', changeOrigin: false } },
  },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2022',
    // The Content-Security-Policy allows no data: fonts or images, so nothing is inlined.
    assetsInlineLimit: 0,
    // kB. The largest draws documents and is fetched with the first one; the first page is held by `npm run bench`.
    chunkSizeWarningLimit: 700,
    rolldownOptions: {
      output: { codeSplitting: { groups: [together('ground', GROUND, 2), together('inside', INSIDE, 1)] } },
    },
  },
});
