import { expect, test } from 'vitest';
import { documentKinds } from '@evenkeel/core/documents/side';
import { endpoints } from './all.ts';

const shown = Object.values(documentKinds).filter(({ path }) => path !== null);

test.each(shown)('the API path for $source belongs to an endpoint that returns one document', ({ path }) => {
  const endpoint = endpoints.find((each) => each.path === path && each.method === 'GET');
  expect(endpoint?.reply).toBeDefined();
});
