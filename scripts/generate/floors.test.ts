import { expect, it } from 'vitest';
import { root } from '../checkout.mjs';
import { readTree } from '../tidy.ts';
import { architecturePage, floorPicture } from './floors.ts';

const sources = readTree(root);

it('docs/architecture.md shows the existing layers and folders', () => {
  const page = sources.find(({ path }) => path === 'docs/architecture.md')?.text;
  expect(page, 'npm run generate').toBe(architecturePage(sources));
});

it('a new screen appears in the diagram, and a page without the markers causes an error', () => {
  const file = { path: 'apps/web/src/screens/budgets/BudgetsScreen.tsx', text: '' };
  expect(floorPicture([file])).toContain('screens   one folder per feature\n            budgets');
  expect(() => architecturePage([file])).toThrow('docs/architecture.md has no markers for the layers');
});
