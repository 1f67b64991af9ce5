// @vitest-environment jsdom
import '../testing/setup.ts';
import { catalogueCalls } from '@evenkeel/contract/catalogue';
import { fireEvent, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { ask, send } from '../client/api.ts';
import { signedIn } from '../screens/billing/testing/answers.tsx';
import { sampleOf } from '../testing/sample.ts';
import { show } from '../testing/show.tsx';
import { changesOf } from './Effects.tsx';
import { RecordModal } from './RecordModal.tsx';
import { useRecordForm } from './useRecordForm.ts';

const Form = z.object({ name: z.string() });
type Form = z.output<typeof Form>;

const EFFECTS = 'What Will This Do?';

const same = { before: 10, after: 10 };
const rehearsal = {
  transactions: [
    {
      postingDate: '2026-03-10',
      description: 'Invoice 10001',
      closed: true,
      lines: [
        { accountId: 138, account: 'Accounts Receivable', description: '', debit: 100, credit: 0, basis: 'accrual' },
        { accountId: 140, account: 'Sales', description: '', debit: 0, credit: 100, basis: 'accrual' },
      ],
    },
  ],
  asOf: '2026-03-10',
  accounts: [{ accountId: 138, account: 'Accounts Receivable', accrual: { before: 50, after: 150 }, cash: same }],
  entities: [{ entityId: 7, name: 'Alder Street Dental', before: 20, after: 120 }],
  netIncome: { accrual: { before: 1, after: 101 }, cash: same },
  duplicates: [{ description: 'Invoice 9998', date: '2026-03-09', name: 'Alder Street Dental', amount: 100 }],
  numbers: [{ kind: 'invoice', number: '10001' }],
};

/** The requests so far, each with the value of its rehearsal header. */
let requests: (string | null)[];
let refused: boolean;
/** Whether the books are closed, so that saving needs a reason. A rehearsal always provides a reason. */
let closed: boolean;

beforeEach(() => {
  signedIn();
  requests = [];
  refused = false;
  closed = false;
  vi.stubGlobal('fetch', async (_: string, { headers }: { headers: Headers }) => {
    const rehearse = headers.get('evenkeel-rehearse');
    requests.push(rehearse);
    const error = {
      code: 'rule',
      message: 'Please enter a name',
      fields: { name: 'Please enter a name' },
      requestId: '1',
    };
    if (closed && rehearse === null) return Response.json({ ...error, code: 'closed', fields: {} }, { status: 409 });
    if (refused) return Response.json(error, { status: 422 });
    return Response.json(
      rehearse === null ? sampleOf(catalogueCalls.createProduct.reply) : { reply: { id: 1 }, rehearsal },
    );
  });
});

function Dialog({ posts }: { posts: boolean }) {
  const form = useRecordForm<Form, Form>({
    name: 'sample',
    id: 0,
    saved: undefined,
    formOf: (one) => one ?? { name: 'Fern' },
    schema: Form,
    check: () => ({}),
    send: async ({ name }, { place }) => {
      const sample = sampleOf(catalogueCalls.createProduct.body) as object;
      await send(ask(catalogueCalls.createProduct, { body: { ...sample, name } as never }), place);
      return { name };
    },
    posts,
    words: { saved: ({ name }) => `${name} saved` },
    onSaved: () => undefined,
  });
  const { value, onChange, error } = form.bind('name');
  return (
    <RecordModal form={form} title="Sample" onClose={() => undefined}>
      <input aria-label="Name" value={value} onChange={(event) => onChange(event.target.value)} />
      {error}
    </RecordModal>
  );
}

const panel = () => screen.queryByRole('region', { name: EFFECTS });
const text = () => panel()?.textContent;

it('the effects panel shows entries, balances, and the invoice number, and sends only a rehearsal', async () => {
  show(<Dialog posts />);
  fireEvent.click(screen.getByRole('button', { name: EFFECTS }));
  await screen.findByRole('region', { name: EFFECTS });
  expect(text()).toContain('Invoice 10001, 3/10/2026 (accrual basis)');
  expect(text()).toContain('The books are closed on this date');
  expect(text()).toContain('Accounts Receivable, accrual basis50.00150.00');
  expect(text()).toContain('Alder Street Dental20.00120.00');
  expect(text()).toContain('Possible DuplicateInvoice 9998, Alder Street Dental, 3/9/2026, 100.00');
  expect(text()).toContain('Number: 10001');
  expect(requests).toEqual(['true']);
});

it('a change marks the panel as outdated, Refresh rehearses again, and Save still sends the form', async () => {
  const user = userEvent.setup();
  show(<Dialog posts />);
  await user.click(screen.getByRole('button', { name: EFFECTS }));
  await screen.findByRole('region', { name: EFFECTS });
  await user.type(screen.getByLabelText('Name'), 's');
  expect(text()).toContain('Outdated');
  await user.click(screen.getByRole('button', { name: 'Refresh' }));
  await vi.waitFor(() => expect(text()).not.toContain('Outdated'));
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await vi.waitFor(() => expect(requests).toEqual(['true', 'true', null]));
});

it('Ctrl+Shift+Enter opens the panel and does not save, and Close returns to the form', async () => {
  const user = userEvent.setup();
  show(<Dialog posts />);
  fireEvent.keyDown(screen.getByLabelText('Name'), { key: 'Enter', ctrlKey: true, shiftKey: true });
  await screen.findByRole('region', { name: EFFECTS });
  await user.click(screen.getByRole('button', { name: `Close ${EFFECTS}` }));
  expect(panel()).toBeNull();
  expect(requests).toEqual(['true']);
});

it('a rejection appears in the form, as it does after Save, and no panel opens', async () => {
  refused = true;
  show(<Dialog posts />);
  fireEvent.click(screen.getByRole('button', { name: EFFECTS }));
  await screen.findAllByText('Please enter a name');
  expect(panel()).toBeNull();
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Save' }).disabled).toBe(false);
});

it('a change to closed books shows the balances before and after it, next to the reason', async () => {
  closed = true;
  show(<Dialog posts />);
  // The dialog takes the focus when it opens.
  await vi.waitFor(() => expect(screen.getByRole('dialog').contains(document.activeElement)).toBe(true));
  fireEvent.click(screen.getByRole('button', { name: 'Save' }));
  const balances = await screen.findByRole('region', { name: 'Balances Before and After' });
  expect(balances.textContent).toContain('Net income, accrual basis1.00101.00');
  expect(document.activeElement).toBe(screen.getByLabelText('Reason for Changing Closed Books'));
  expect(requests).toEqual([null, 'true']);
});

it('a form that posts nothing has no button for the panel', () => {
  show(<Dialog posts={false} />);
  expect(screen.queryByRole('button', { name: EFFECTS })).toBeNull();
});

it('a balance that is the same on both bases is listed only once', () => {
  const change = { before: 1, after: 2 } as never;
  const account = { accountId: 1, account: 'Checking', accrual: change, cash: change };
  const none = { before: 0, after: 0 } as never;
  const given = { ...rehearsal, accounts: [account], entities: [], netIncome: { accrual: none, cash: none } };
  expect(changesOf(given as never)).toEqual([{ name: 'Checking', before: 1, after: 2 }]);
});
