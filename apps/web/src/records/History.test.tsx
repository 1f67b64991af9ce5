// @vitest-environment jsdom
import '../testing/setup.ts';
import { screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { signOut } from '../client/session.ts';
import { fakeNetwork, showWithData, signedIn } from '../screens/billing/testing/answers.tsx';
import { History } from './History.tsx';

afterEach(() => {
  signOut();
  vi.unstubAllGlobals();
});

const entry = (id: number, kind: string, action: string, changes: object[] = []) => ({
  id,
  at: '2026-05-01T02:00:00.000Z',
  userId: 7,
  person: 'M V',
  action,
  kind,
  recordId: 36,
  title: '10436',
  amount: null,
  reason: null,
  byKind: '',
  byName: '',
  changes,
  canUndo: false,
});

it('the history describes changes to the document and changes to its private links separately', async () => {
  signedIn();
  const link = [{ field: 'Link', before: '4, copied', after: null }];
  const body = [
    entry(4, 'invoice link', 'delete', link),
    entry(3, 'invoice link', 'update', link),
    entry(2, 'invoice link', 'create'),
    entry(1, 'invoice', 'create'),
  ];
  fakeNetwork({ 'GET /audit': [{ status: 200, body }] });
  showWithData(<History kind="invoice" id={36} />);
  await screen.findByRole('list', { name: 'History' });
  const heads = screen.getAllByRole('listitem').map((item) => item.querySelector('b')?.textContent);
  expect(heads).toEqual(['Private link revoked', 'Private link renewed', 'Private link created', 'Created']);
});
