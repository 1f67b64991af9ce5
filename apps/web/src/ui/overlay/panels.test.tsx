// @vitest-environment jsdom
import '../../testing/setup.ts';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { setWidth } from '../../testing/setup.ts';
import { show } from '../../testing/show.tsx';
import { FooterBar } from './FooterBar.tsx';
import { SidePanel } from './SidePanel.tsx';
import { SplitPane } from './SplitPane.tsx';

it('Escape and the close button close a side panel', async () => {
  let closed = 0;
  show(
    <SidePanel title="Invoice 10436" onClose={() => (closed += 1)}>
      <a href="#customer">Customer</a>
    </SidePanel>,
  );
  expect(screen.getByRole('complementary', { name: 'Invoice 10436' })).toBeTruthy();
  screen.getByRole('link').focus();
  await userEvent.keyboard('{Escape}');
  await userEvent.click(screen.getByRole('button', { name: 'Close' }));
  expect(closed).toBe(2);
});

it('Escape closes an open menu of a panel, and only the next Escape closes the panel', async () => {
  let closed = 0;
  const actions = [{ label: 'Void', onClick: () => undefined, isRare: true }];
  show(
    <SidePanel title="Invoice 10436" onClose={() => (closed += 1)} bar={{ actions }}>
      <p>Lines</p>
    </SidePanel>,
  );
  const menu = () => screen.getByRole('button', { name: /^More/ });
  await userEvent.click(menu());
  expect(await screen.findByRole('menuitem', { name: 'Void' })).toBeTruthy();
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('menuitem')).toBeNull());
  expect([closed, document.activeElement]).toEqual([0, menu()]);
  await userEvent.keyboard('{Escape}');
  expect(closed).toBe(1);
});

it("the list below an open panel can't be reached below 768 px", () => {
  setWidth(767);
  const { container } = show(<SplitPane list={<p>list</p>} panel={<p>panel</p>} />);
  const list = container.querySelector('.ek-split-list');
  expect(list?.hasAttribute('inert')).toBe(true);
});

it('without a panel, the list takes all the space', () => {
  const { container } = show(<SplitPane list={<p>list</p>} panel={false} />);
  expect(container.querySelector('[data-open]')).toBeNull();
  expect(container.querySelector('[inert]')).toBeNull();
});

it('a render error in a panel is shown in the panel, the screen stays, and Close closes the panel', async () => {
  vi.spyOn(console, 'error').mockReturnValue(undefined);
  let closed = 0;
  function Content(): never {
    throw new Error('no such line');
  }
  show(
    <>
      <p>the screen</p>
      <SidePanel title="Invoice 10436" onClose={() => (closed += 1)}>
        <Content />
      </SidePanel>
    </>,
  );
  expect(screen.getByRole('alert').textContent).toContain('Error! no such line');
  expect(screen.getByRole('button', { name: 'Retry' })).toBeTruthy();
  expect(screen.getByText('the screen')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Close' }));
  expect(closed).toBe(1);
});

it('an action that asks a question runs after the answer, Cancel has the focus, and Escape cancels', async () => {
  const onClick = vi.fn<() => void>();
  show(<FooterBar actions={[{ label: 'Remove Key', question: 'Remove the key?', onClick }]} />);
  const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));
  for (const answer of [() => press('Cancel'), () => userEvent.keyboard('{Escape}')]) {
    await press('Remove Key');
    expect(screen.getByRole('group', { name: 'Remove the key?' })).toBeTruthy();
    expect(document.activeElement?.textContent).toBe('Cancel');
    await answer();
    expect(screen.queryByRole('group')).toBeNull();
  }
  expect(onClick).not.toHaveBeenCalled();
  await press('Remove Key');
  await press('Remove Key');
  expect(onClick).toHaveBeenCalledOnce();
  expect(screen.queryByRole('group')).toBeNull();
});
