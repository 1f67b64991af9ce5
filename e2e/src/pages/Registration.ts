import type { Page } from 'playwright-core';

/** The fields on the registration page. Only the first-start link asks for the company. */
export interface Registrant {
  companyName?: string;
  email?: string;
  firstName: string;
  lastName: string;
  password: string;
}

/** The registration page for an invitation or for the first-start link. */
export class Registration {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  async type(person: Registrant): Promise<void> {
    const field = (label: string) => this.page.getByLabel(label, { exact: true });
    if (person.companyName !== undefined) await field('Company Name').fill(person.companyName);
    await field('First Name').fill(person.firstName);
    await field('Last Name').fill(person.lastName);
    if (person.email !== undefined) await field('Email').fill(person.email);
    await field('Password').fill(person.password);
    await field('Confirm Password').fill(person.password);
    await field('Accept Terms & Conditions').check();
  }

  async submit(): Promise<void> {
    await this.page.getByRole('button', { name: 'Register', exact: true }).click();
  }
}
