// @vitest-environment jsdom
import '../../testing/setup.ts';
import { FEE_NOTE } from '@evenkeel/core/testing/fee-note';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterAll, afterEach, expect, it, vi } from 'vitest';
import { layOut, RESULT_KINDS } from '../../app/search/results.ts';
import { signOut } from '../../client/session.ts';
import { recordAddress } from '../../parts/ledger/places.ts';
import { sourceDocument } from '../../parts/ledger/sources.ts';
import { linkedNoun } from '../../parts/sending/subjects.ts';
import { BillingScreen } from './BillingScreen.tsx';
import { fakeNetwork, press, showWithData, signedIn, wireInvoice } from './testing/answers.tsx';
import { FEE_NOTE_TAB } from './testing/feeNotes.tsx';
import { TABS } from './tabs.tsx';

// Loads the web app again with the new kind in the list of kinds, as if the source code defined it.
await vi.hoisted(async () => {
  vi.resetModules();
  const [{ documentKinds, kinds }, { FEE_NOTE: kind }] = await Promise.all([
    import('@evenkeel/core/documents/side'),
    import('@evenkeel/core/testing/fee-note'),
  ]);
  Object.assign(documentKinds, { [kind.source]: kind });
  kinds.set(kind.source, kind);
});
TABS.push(FEE_NOTE_TAB);

afterEach(() => {
  vi.unstubAllGlobals();
  signOut();
});
afterAll(() => vi.resetModules());

const note = wireInvoice({
  id: 60,
  invoiceNumber: '501',
  lineItems: [
    {
      id: 1,
      description: 'Filing',
      accountId: 160,
      lineItemAmount: 70,
      deleted: false,
      profitCenterId: null,
      locationId: null,
    },
  ],
});
const answer = (body: unknown) => [{ status: 200, body }];

function showScreen(path: string) {
  signedIn();
  fakeNetwork({
    'GET /feenote': answer([note]),
    'GET /feenote/60': answer(note),
    'GET /feenote/60/payments': answer([]),
  });
  showWithData(<BillingScreen />, path);
}

it('a new kind of document has a tab, a panel with its lines and emails, and a form', async () => {
  showScreen('/billing?tab=feenotes');
  expect(screen.getByRole('tab', { name: 'Fee Notes', selected: true })).toBeTruthy();
  expect(screen.getByPlaceholderText('Search Fee Notes...')).toBeTruthy();
  await userEvent.click(await screen.findByText('501'));
  const panel = await screen.findByRole('complementary', { name: 'Fee Note 501' });
  expect(await within(panel).findByText('Filing')).toBeTruthy();
  expect(within(panel).getByRole('button', { name: 'Send' })).toBeTruthy();
  expect(within(panel).getByRole('tab', { name: 'Sending' })).toBeTruthy();
  await press('Add Fee Note');
  expect(await screen.findByRole('dialog', { name: 'Fee note' })).toBeTruthy();
});

it('a new kind of document has a URL, a search result, and the wording for its private link', () => {
  expect(recordAddress(FEE_NOTE.source, 60)).toBe('/billing?feenote=60');
  const place = { label: 'Open Fee note', to: '/billing', needs: 'View Billing', state: { feeNoteId: 60 } };
  expect(sourceDocument(FEE_NOTE.source, 60)).toEqual(place);
  expect(RESULT_KINDS[17]).toMatchObject({ group: 'Fee Notes', needs: 'View Billing', label: 'Fee note' });
  const found = { itemType: 17, itemId: 60, itemText: 'Fee note 501', searchDisplayItems: ['Oak Hollow', '3/31/2026'] };
  expect(layOut(found).text).toBe('501 · Oak Hollow');
  expect(linkedNoun(FEE_NOTE.mail.kind)).toBe('fee note');
});
