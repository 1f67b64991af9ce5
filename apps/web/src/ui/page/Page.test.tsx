// @vitest-environment jsdom
import '../../testing/setup.ts';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { createPortal } from 'react-dom';
import { expect, it } from 'vitest';
import { setWidth } from '../../testing/setup.ts';
import { show } from '../../testing/show.tsx';
import { FilterBox } from './FilterBox.tsx';
import { Page } from './Page.tsx';
import { TabPane } from './TabPane.tsx';

const nothing = () => undefined;

type BillingTab = 'open' | 'work' | 'history';

function Billing({ added = nothing, menu = false }: { added?: () => void; menu?: boolean }) {
  const [tab, setTab] = useState<BillingTab>('open');
  const [filter, setFilter] = useState('');
  const more = [{ label: 'GL Accounts', onClick: () => undefined }];
  return (
    <Page<BillingTab>
      title="Billing"
      primary={{ label: 'Add Billing', onClick: added }}
      secondary={[{ label: 'Process Work Items', onClick: () => undefined }]}
      fabMenu={menu ? more : undefined}
      tabs={{
        value: tab,
        onChange: setTab,
        tabs: [
          { value: 'open', label: 'Open Invoices', count: 0 },
          { value: 'work', label: 'Work Items', count: 4 },
          { value: 'history', label: 'Invoice History' },
        ],
      }}
      filter={<FilterBox placeholder="Filter Open Invoices..." value={filter} onChange={setFilter} />}
    >
      <p data-testid="body">{`${tab} ${filter}`}</p>
    </Page>
  );
}

const body = () => screen.getByTestId('body').textContent;

it('a count of zero is hidden, and a count of 4 is in parentheses', () => {
  show(<Billing />);
  expect(screen.getAllByRole('tab').map((tab) => tab.textContent)).toEqual([
    'Open Invoices',
    'Work Items(4)',
    'Invoice History',
  ]);
});

it('arrow keys wrap around the tabs, and Home and End move to the first and last tab', async () => {
  show(<Billing />);
  screen.getByRole('tab', { name: 'Open Invoices' }).focus();
  await userEvent.keyboard('{ArrowLeft}');
  expect(body()).toBe('history ');
  await userEvent.keyboard('{ArrowRight}{ArrowRight}');
  expect(body()).toBe('work ');
  await userEvent.keyboard('{End}');
  expect(body()).toBe('history ');
  expect(screen.getByRole('tabpanel').getAttribute('aria-labelledby')).toBe(document.activeElement?.id);
});

it('a swipe of 149 px does nothing, and swipes of 150 px move between the tabs and wrap around', () => {
  show(<Billing />);
  const pane = screen.getByRole('tabpanel');
  const swipe = (from: number, to: number) => {
    fireEvent.touchStart(pane, { changedTouches: [{ clientX: from, clientY: 10 }] });
    fireEvent.touchEnd(pane, { changedTouches: [{ clientX: to, clientY: 30 }] });
  };
  swipe(300, 151);
  expect(body()).toBe('open ');
  swipe(300, 150);
  expect(body()).toBe('work ');
  swipe(100, 250);
  swipe(100, 250);
  expect(body()).toBe('history ');
});

it('Escape and the clear button empty the filter', async () => {
  show(<Billing />);
  const box = screen.getByRole('textbox', { name: 'Filter Open Invoices...' });
  expect(screen.queryByRole('button', { name: 'Clear filter' })).toBeNull();
  await userEvent.type(box, 'oak');
  await waitFor(() => expect(body()).toBe('open oak'));
  await userEvent.click(screen.getByRole('button', { name: 'Clear filter' }));
  expect(body()).toBe('open ');
  expect(document.activeElement).toBe(box);
  await userEvent.type(box, 'elm{Escape}');
  expect(body()).toBe('open ');
});

it('below 768 px, tabs become a drop-down, the primary action floats, and others are in a menu', async () => {
  setWidth(767);
  let added = 0;
  const { container } = show(<Billing added={() => (added += 1)} />);
  expect(screen.queryByRole('tab')).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: /Open Invoices/ }));
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Work Items (4)' }));
  expect(body()).toBe('work ');
  expect(container.querySelector('.ek-fab')?.textContent).toBe('Add Billing');
  await userEvent.click(screen.getByRole('button', { name: 'Add Billing' }));
  expect(added).toBe(1);
  expect(screen.getByRole('button', { name: 'More: Process Work Items' })).toBeTruthy();
});

it("the floating button's menu starts with the primary action", async () => {
  setWidth(390);
  show(<Billing menu />);
  await userEvent.click(screen.getByRole('button', { name: 'Add Billing' }));
  const items = await screen.findAllByRole('menuitem');
  expect(items.map((item) => item.textContent)).toEqual(['Add Billing', 'GL Accounts']);
});

it("a swipe on a dialog that React treats as inside the pane doesn't change the tab", () => {
  const steps: number[] = [];
  show(
    <TabPane idBase="t" value="a" onSwipe={(step) => steps.push(step)}>
      <p>The pane itself</p>
      {createPortal(<p>A dialog over it</p>, document.body)}
    </TabPane>,
  );
  for (const text of ['A dialog over it', 'The pane itself']) {
    const place = screen.getByText(text);
    fireEvent.touchStart(place, { changedTouches: [{ clientX: 300, clientY: 10 }] });
    fireEvent.touchEnd(place, { changedTouches: [{ clientX: 100, clientY: 10 }] });
  }
  expect(steps).toEqual([1]);
});
