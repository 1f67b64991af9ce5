import { expect, test } from 'vitest';
import { documentKinds, kinds } from '../documents/side.ts';
import { auditKindOf, kindsInHistory } from '../words/audit.ts';
import { searchedKinds } from '../words/searched.ts';

test('each kind of document is listed under its own name', () => {
  expect(Object.entries(documentKinds).map(([name, { source }]) => [name, source])).toEqual(
    [...kinds.keys()].map((name) => [name, name]),
  );
});

test('the number of each searchable kind equals its position in the list', () => {
  expect(searchedKinds().map(({ number }) => number)).toEqual(searchedKinds().map((_, place) => place));
});

test('the history of a kind includes private links if and only if emails for the kind have a link', () => {
  expect(kindsInHistory('creditmemo')).toEqual(['creditmemo', 'creditmemo link']);
  expect(auditKindOf('creditmemo link')).toMatchObject({ label: 'Private link to credit memo', area: 'Billing' });
  expect(kindsInHistory('payment')).toEqual(['payment']);
});
