// @vitest-environment jsdom
import '../../testing/setup.ts';
import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { keepFocus } from './keepFocus.ts';

let stop: () => void;
beforeEach(() => (stop = keepFocus()));
afterEach(() => stop());

const button = (name: string) => screen.getByRole('button', { name });
const hasFocus = (name: string) => waitFor(() => expect(document.activeElement?.textContent).toBe(name));
/** Waits long enough for the focus to move, if it moves at all. */
const settled = () => new Promise((done) => setTimeout(done, 250));

function List() {
  const [rows, setRows] = useState(['A', 'B', 'C']);
  return (
    <main id="main">
      <h1>Rows</h1>
      <button>New</button>
      <ul>
        {rows.map((row) => (
          <li key={row}>
            <button onClick={() => setRows(rows.filter((one) => one !== row))}>{row}</button>
          </li>
        ))}
      </ul>
    </main>
  );
}

it('after rows are deleted, the focus moves to the next row, then to the last row, and then to the page', async () => {
  render(<List />);
  await userEvent.click(button('New'));
  await userEvent.click(button('B'));
  await hasFocus('C');
  await userEvent.click(button('C'));
  await hasFocus('A');
  await userEvent.click(button('A'));
  await hasFocus('New');
});

function Panel() {
  const [isOpen, setOpen] = useState(false);
  return (
    <main id="main">
      <button onClick={() => setOpen(true)}>Open</button>
      <button>Other</button>
      {isOpen && (
        <aside>
          <button onClick={() => setOpen(false)}>Close</button>
        </aside>
      )}
    </main>
  );
}

it('after a panel is closed, the focus returns to the control that opened it', async () => {
  render(<Panel />);
  await userEvent.click(button('Open'));
  await userEvent.click(button('Close'));
  await hasFocus('Open');
});

function Steps() {
  const [step, setStep] = useState(1);
  return (
    <main id="main">
      <button>Before</button>
      <div role="dialog" aria-label="Steps">
        <section key={step}>
          <button onClick={() => setStep(step + 1)}>{`Continue ${step}`}</button>
        </section>
      </div>
    </main>
  );
}

it('after a step is replaced, the focus stays in the dialog', async () => {
  render(<Steps />);
  await userEvent.click(button('Before'));
  await userEvent.click(button('Continue 1'));
  await hasFocus('Continue 2');
});

function Send() {
  const [isBusy, setBusy] = useState(false);
  const send = () => {
    setBusy(true);
    setTimeout(() => setBusy(false), 400);
  };
  return (
    <main id="main">
      <button disabled={isBusy} data-loading={isBusy || undefined} onClick={send}>
        Send
      </button>
      <button>Other</button>
    </main>
  );
}

it('a button that was busy gets the focus back', async () => {
  render(<Send />);
  await userEvent.click(button('Send'));
  await settled();
  // The browser decides where the focus is while the button is disabled, but the focus doesn't move to another control.
  expect(document.activeElement?.textContent).not.toBe('Other');
  await waitFor(() => expect(button('Send').matches(':disabled')).toBe(false));
  await hasFocus('Send');
});

/** A button that is disabled for a moment, and is then replaced. */
function Pause() {
  const [state, setState] = useState<'runs' | 'busy' | 'ran' | 'paused'>('runs');
  const pause = ({ currentTarget: button }: { currentTarget: HTMLButtonElement }) => {
    setState('busy');
    // A browser removes the focus when it next renders the page. jsdom only does so while the button is enabled.
    setTimeout(() => {
      button.disabled = false;
      button.blur();
      button.disabled = true;
    }, 10);
    setTimeout(() => setState('ran'), 40);
    setTimeout(() => setState('paused'), 600);
  };
  return (
    <main id="main">
      <button>Other</button>
      <aside>
        {state === 'paused' ? (
          <button>Resume</button>
        ) : (
          <section>
            <button disabled={state === 'busy'} onClick={pause}>
              Pause
            </button>
          </section>
        )}
      </aside>
    </main>
  );
}

it('a briefly busy button gets the focus back, and if the button is replaced, the page keeps the focus', async () => {
  render(<Pause />);
  await userEvent.click(button('Pause'));
  await settled();
  expect(document.activeElement?.textContent).toBe('Pause');
  await waitFor(() => expect(button('Resume')).toBeDefined());
  await hasFocus('Resume');
});

it('a click on an empty part of the page leaves the focus there, even if the page changes later', async () => {
  const { rerender } = render(<List />);
  await userEvent.click(button('B'));
  await hasFocus('C');
  await userEvent.click(document.body);
  await settled();
  rerender(<List key="again" />);
  await settled();
  expect(document.activeElement).toBe(document.body);
});
