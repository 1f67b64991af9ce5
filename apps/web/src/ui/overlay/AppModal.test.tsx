// @vitest-environment jsdom
import '../../testing/setup.ts';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, it, vi } from 'vitest';
import { MoneyField } from '../fields/MoneyField.tsx';
import { TextField } from '../fields/TextField.tsx';
import { setWidth } from '../../testing/setup.ts';
import { choose } from '../../testing/choose.ts';
import { show } from '../../testing/show.tsx';
import { AppModal } from './AppModal.tsx';

interface Told {
  saved: number;
  deleted: number;
  discarded: number;
}

interface ScreenProps {
  tell: (what: keyof Told) => void;
  busy?: boolean;
  enterSaves?: boolean;
}

function Screen({ tell, busy = false, enterSaves = false }: ScreenProps) {
  const [open, setOpen] = useState(false);
  const [name, setName] = useState('');
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Edit
      </button>
      {open && (
        <AppModal
          opened
          onClose={() => setOpen(false)}
          title="Profit Center"
          dirty={name !== ''}
          enterSaves={enterSaves}
          onDiscard={() => tell('discarded')}
          footer={{
            primary: { label: 'Save', onClick: () => tell('saved'), busy },
            actions: [{ label: 'Preview Invoice', onClick: () => undefined, quiet: true }],
            remove: { question: 'Delete profit center?', onConfirm: () => tell('deleted') },
          }}
        >
          <TextField label="Name" value={name} onChange={setName} autoFocus />
        </AppModal>
      )}
    </>
  );
}

const fresh = (): Told => ({ saved: 0, deleted: 0, discarded: 0 });
const teller = (told: Told) => (what: keyof Told) => {
  told[what] += 1;
};
const dialog = () => screen.queryByRole('dialog', { name: 'Profit Center' });

it('Escape with unsaved changes asks whether to keep editing or to discard the changes', async () => {
  const told = fresh();
  show(<Screen tell={teller(told)} />);
  await userEvent.click(screen.getByRole('button', { name: 'Edit' }));
  await userEvent.type(screen.getByLabelText('Name'), 'Upkeep{Escape}');
  expect(screen.getByText('Discard your changes?')).toBeTruthy();
  expect(document.activeElement?.textContent).toBe('Keep editing');
  await userEvent.keyboard('{Escape}');
  expect(dialog()).toBeTruthy();
  expect(screen.getByLabelText('Name')).toHaveProperty('value', 'Upkeep');
  await userEvent.click(screen.getByRole('button', { name: 'Close' }));
  await userEvent.click(screen.getByRole('button', { name: 'Discard changes' }));
  expect(dialog()).toBeNull();
  expect(told).toEqual({ saved: 0, deleted: 0, discarded: 1 });
});

it('Escape without changes closes the modal and returns the focus to the button that opened it', async () => {
  show(<Screen tell={teller(fresh())} />);
  await userEvent.click(screen.getByRole('button', { name: 'Edit' }));
  screen.getByLabelText('Name').focus();
  await userEvent.keyboard('{Escape}');
  expect(dialog()).toBeNull();
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Edit'));
});

it('Ctrl+Enter saves only once, and not while the modal is busy', async () => {
  const told = fresh();
  const { rerender } = show(<Screen tell={teller(told)} />);
  await userEvent.click(screen.getByRole('button', { name: 'Edit' }));
  await userEvent.type(screen.getByLabelText('Name'), 'U{Control>}{Enter}{/Control}');
  expect(told.saved).toBe(1);
  rerender(<Screen tell={teller(told)} busy />);
  await userEvent.type(screen.getByLabelText('Name'), '{Control>}{Enter}{/Control}');
  expect(told.saved).toBe(1);
});

it('Delete is confirmed in the footer, where Cancel Delete has the focus and only Confirm Delete deletes', async () => {
  const told = fresh();
  show(<Screen tell={teller(told)} />);
  await userEvent.click(screen.getByRole('button', { name: 'Edit' }));
  await choose('Delete');
  expect(document.activeElement?.textContent).toBe('Cancel Delete');
  expect(screen.queryByRole('button', { name: 'Save' })).toBeNull();
  await userEvent.keyboard('{Escape}');
  expect(dialog()).toBeTruthy();
  expect(told.deleted).toBe(0);
  await choose('Delete');
  await userEvent.click(screen.getByRole('button', { name: 'Confirm Delete' }));
  expect(told.deleted).toBe(1);
});

it('at 390 px, the footer still has its two buttons, and Delete is in its menu', async () => {
  setWidth(390);
  show(<Screen tell={teller(fresh())} />);
  await userEvent.click(screen.getByRole('button', { name: 'Edit' }));
  expect(screen.getByRole('button', { name: 'Preview Invoice' })).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Save' })).toBeTruthy();
  await choose('Delete');
  expect(screen.getByText('Delete profit center?')).toBeTruthy();
});

it("after Cancel Delete, the modal's keys work: Ctrl+Enter saves, and Escape closes", async () => {
  const told = fresh();
  show(<Screen tell={teller(told)} />);
  await userEvent.click(screen.getByRole('button', { name: 'Edit' }));
  await choose('Delete');
  await userEvent.click(screen.getByRole('button', { name: 'Cancel Delete' }));
  expect(dialog()?.contains(document.activeElement)).toBe(true);
  await userEvent.keyboard('{Control>}{Enter}{/Control}');
  expect(told).toEqual({ saved: 1, deleted: 0, discarded: 0 });
  await userEvent.keyboard('{Escape}');
  expect(dialog()).toBeNull();
});

it('an unreadable value is never sent, and Save focuses its field', async () => {
  let saved = 0;
  show(
    <AppModal
      opened
      onClose={() => undefined}
      title="Payment"
      footer={{ primary: { label: 'Save', onClick: () => (saved += 1) } }}
    >
      <MoneyField label="Amount" value={null} onChange={() => undefined} />
    </AppModal>,
  );
  const field = screen.getByLabelText('Amount');
  await userEvent.type(field, '1.234,50{Control>}{Enter}{/Control}');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect(saved).toBe(0);
  expect(document.activeElement).toBe(field);
  expect(screen.getByText('Please enter an amount')).toBeTruthy();
  await userEvent.clear(field);
  await userEvent.type(field, '1,234.50');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect(saved).toBe(1);
});

it("an unreadable value in the dialog below doesn't prevent saving the dialog above", async () => {
  const pressed: string[] = [];
  const nothing = () => undefined;
  const modal = (title: string, label: string) => (
    <AppModal
      opened
      onClose={nothing}
      title={title}
      footer={{ primary: { label, onClick: () => pressed.push(label) } }}
    >
      {title === 'Invoice' && <MoneyField label="Price" value={null} onChange={nothing} />}
    </AppModal>
  );
  const { rerender } = show(modal('Invoice', 'Save'));
  await userEvent.type(screen.getByLabelText('Price'), '1,23');
  rerender(
    <>
      {modal('Invoice', 'Save')}
      {modal('New customer', 'Add')}
    </>,
  );
  await userEvent.click(screen.getByText('Add', { selector: 'button, button *' }));
  expect(pressed).toEqual(['Add']);
});

it('a render error in the content appears in the modal with Retry and Close, and the screen stays', async () => {
  vi.spyOn(console, 'error').mockReturnValue(undefined);
  let isBroken = true;
  let closed = 0;
  function Content() {
    if (isBroken) throw new Error('no such line');
    return <p>Lines</p>;
  }
  show(
    <>
      <p>the screen</p>
      <AppModal
        opened
        onClose={() => (closed += 1)}
        title="Invoice"
        footer={{ primary: { label: 'Save', onClick: () => undefined } }}
      >
        <Content />
      </AppModal>
    </>,
  );
  const inside = within(screen.getByRole('dialog', { name: 'Invoice' }));
  expect(inside.getByRole('alert').textContent).toContain('Error! no such line');
  expect(screen.getByText('the screen')).toBeTruthy();
  await userEvent.click(inside.getByRole('button', { name: 'Close' }));
  expect(closed).toBe(1);
  isBroken = false;
  await userEvent.click(inside.getByRole('button', { name: 'Retry' }));
  expect(inside.getByText('Lines')).toBeTruthy();
});

it('Enter in a field saves the form only if the form is short and opts in', async () => {
  const told = fresh();
  const shown = show(<Screen tell={teller(told)} />);
  await userEvent.click(screen.getByRole('button', { name: 'Edit' }));
  await userEvent.type(screen.getByLabelText('Name'), 'Upkeep{Enter}');
  expect(told.saved).toBe(0);
  shown.unmount();
  show(<Screen tell={teller(told)} enterSaves />);
  await userEvent.click(screen.getByRole('button', { name: 'Edit' }));
  await userEvent.type(screen.getByLabelText('Name'), 'Upkeep{Enter}');
  expect(told.saved).toBe(1);
  screen.getByRole('button', { name: 'Preview Invoice' }).focus();
  await userEvent.keyboard('{Enter}');
  expect(told.saved).toBe(1);
});
