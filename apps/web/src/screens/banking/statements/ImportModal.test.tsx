// @vitest-environment jsdom
import '../../../testing/setup.ts';
import { BankingAccount } from '@evenkeel/contract/banking';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { sampleOf } from '../../../testing/sample.ts';
import { fakeNetwork, showWithData, signedIn } from '../../billing/testing/answers.tsx';
import { ImportModal } from './ImportModal.tsx';

afterEach(() => vi.unstubAllGlobals());

/** An upload that succeeds immediately. */
class Uploaded extends EventTarget {
  readonly upload = new EventTarget();
  readonly status = 200;
  readonly responseText = JSON.stringify({
    documentId: 7,
    documentName: 'may.ofx',
    size: 9,
    contentType: 'text/plain',
  });
  open(): void {}
  abort(): void {}
  setRequestHeader(): void {}
  send(): void {
    setTimeout(() => this.dispatchEvent(new Event('load')));
  }
}

const bank = (bankingAccountID: number, name: string) => ({
  ...(sampleOf(BankingAccount) as object),
  bankingAccountID,
  name,
});
const ok = (body: unknown) => [{ status: 200, body }];

it.each([
  ['is known', 2, 2],
  ['is unknown', null, 1],
])('the import uses the right account if the account number in the file %s', async (_, bankAccountId, wanted) => {
  signedIn();
  const network = fakeNetwork({
    'GET /bankingaccount': ok([bank(1, 'Checking'), bank(2, 'Savings')]),
    'POST /bankstatement/account': ok({ bankAccountId }),
    'POST /bankstatement/preview': [{ status: 422, body: { code: 'invalid', message: 'Enough', requestId: 'r' } }],
  });
  vi.stubGlobal('XMLHttpRequest', Uploaded);
  showWithData(<ImportModal bankAccountId={1} onClose={() => undefined} onImported={() => undefined} />);
  const input = await waitFor(() => {
    const found = document.querySelector('input[type="file"]');
    if (found === null) throw new Error('no drop area');
    return found;
  });
  fireEvent.change(input, { target: { files: [new File(['OFXHEADER'], 'may.ofx')] } });
  await screen.findByText('Enough');
  const asked = network.writes.filter(({ path }) => path === '/bankstatement/preview').map(({ body }) => body);
  expect(asked).toEqual([{ documentId: 7, bankAccountId: wanted }]);
});

it('the file button has the focus when the dialog opens', async () => {
  signedIn();
  fakeNetwork({ 'GET /bankingaccount': ok([bank(1, 'Checking'), bank(2, 'Savings')]) });
  showWithData(<ImportModal bankAccountId={1} onClose={() => undefined} onImported={() => undefined} />);
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Choose File'));
});
