import type { Page } from 'playwright-core';
import { button, field, pick } from './fields.ts';

/** The users and roles page. */
export class Users {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  /** Adds a role with one permission level for several areas. */
  async addRole(name: string, levels: Readonly<Record<string, string>>): Promise<void> {
    await button(this.page, 'Add Role').click();
    const dialog = this.page.getByRole('dialog', { name: 'Add Role' });
    await field(dialog, 'Role Name').fill(name);
    for (const [area, level] of Object.entries(levels)) {
      await dialog.getByRole('group', { name: area, exact: true }).getByRole('radio', { name: level }).check();
    }
    await button(dialog, 'Save').click();
    await dialog.waitFor({ state: 'hidden' });
  }

  /** Invites a user with a role. */
  async addUser(person: { firstName: string; lastName: string; email: string }, role: string): Promise<void> {
    await button(this.page, 'Add User').click();
    const dialog = this.page.getByRole('dialog', { name: 'Add User' });
    await field(dialog, 'First Name').fill(person.firstName);
    await field(dialog, 'Last Name').fill(person.lastName);
    await field(dialog, 'Email').fill(person.email);
    await pick(dialog, 'Role', role);
    await button(dialog, 'Save').click();
    await dialog.waitFor({ state: 'hidden' });
  }
}
