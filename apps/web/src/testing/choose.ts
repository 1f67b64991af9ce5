import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';

/**
 * Selects an action in a ⋯ menu. If several menus contain the action, opens the last menu, which belongs to the dialog
 * or panel.
 */
export async function choose(name: string): Promise<void> {
  const menus = screen.getAllByRole('button', { name: (label) => label.startsWith('More: ') && label.includes(name) });
  const menu = menus.at(-1);
  if (menu === undefined) throw new Error(`no menu has ${name}`);
  await userEvent.click(menu);
  await userEvent.click(await screen.findByRole('menuitem', { name }));
}
