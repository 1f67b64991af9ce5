import type { Locator, Page } from 'playwright-core';

type Scope = Page | Locator;

const pageOf = (scope: Scope): Page => ('page' in scope ? scope.page() : scope);

/** Returns a text, money, date, or quantity field by its label, on the page or in a line. */
export const field = (scope: Scope, label: string): Locator => scope.getByRole('textbox', { name: label, exact: true });

/** Returns a field with selectable options. */
export const picker = (scope: Scope, label: string): Locator =>
  scope.getByRole('combobox', { name: label, exact: true });

export const button = (scope: Scope, label: string | RegExp): Locator =>
  scope.getByRole('button', { name: label, exact: typeof label === 'string' });

/** Selects an action in the ⋯ menu of a panel, dialog, or page. */
export async function fromMenu(scope: Scope, label: string): Promise<void> {
  await button(scope, new RegExp(`^More: .*${label}`)).click();
  await pageOf(scope).getByRole('menuitem', { name: label, exact: true }).click();
}

/** Opens a picker with the mouse and selects the option that contains these words. */
export async function pick(scope: Scope, label: string, option: string): Promise<void> {
  const box = picker(scope, label);
  await box.click();
  await box.fill(option);
  await pageOf(scope).getByRole('option', { name: option }).first().click();
}
