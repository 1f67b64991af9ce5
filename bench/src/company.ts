import * as z from 'zod';
import { authCalls } from '@evenkeel/contract/auth';
import { entityCalls } from '@evenkeel/contract/entities';
import { settingsCalls } from '@evenkeel/contract/settings';
import { setupCalls } from '@evenkeel/contract/setup';
import { type Client, openClient } from './client.ts';
import type { RunningServer } from './server.ts';

/** A company with a signed-in administrator, one customer, and one sales tax rate. */
export interface Company {
  companyId: number;
  token: string;
  customerId: number;
}

const Created = z.object({ companyId: z.number() });
const password = 'ledger of the long afternoon';

const emailOf = (name: string): string => `owner@${name.toLowerCase().replaceAll(' ', '-')}.example`;

/** Returns the session of the company's administrator in the form that a browser stores. */
export async function sessionOf(server: RunningServer, name: string): Promise<string> {
  const client = openClient(server.url, 1);
  try {
    const reply = await client.call(authCalls.login, { body: { email: emailOf(name), password } });
    return JSON.stringify(reply);
  } finally {
    client.close();
  }
}

/** Creates a company from the command line and opens it over HTTP, as its users do. */
export async function newCompany(server: RunningServer, name: string): Promise<Company> {
  const email = emailOf(name);
  const names = ['--name', name, '--first-name', 'Olga', '--last-name', 'Owner'];
  const created = await server.command('company', 'create', ...names, '--email', email, '--password', password);
  const { companyId } = Created.parse(created);
  const client = openClient(server.url, 1);
  try {
    return { companyId, ...(await prepare(client, email)) };
  } finally {
    client.close();
  }
}

async function prepare(client: Client, email: string): Promise<Omit<Company, 'companyId'>> {
  const { token: first } = await client.call(authCalls.login, { body: { email, password } });
  const token = await client.call(authCalls.updateUserTerms, { token: first, body: { termsAccepted: true } });
  await client.call(setupCalls.completeSetup, { token, body: { skip: true } });
  const [scenario] = await client.call(settingsCalls.listSalesTax, { token });
  if (scenario === undefined) throw new Error('the company has no sales tax scenario');
  const { id, glAccountId, filingFrequency, rowVersion } = scenario;
  const salesTaxItems = [{ id: 0, label: 'State tax', salesTaxType: 0, percentage: 5.75 }];
  await client.call(settingsCalls.updateSalesTax, {
    token,
    path: `/salestax/${id}`,
    body: { id, glAccountId, filingFrequency, rowVersion, salesTaxItems },
  });
  const body = { name: 'Fairlawn Heights', emailAddress: 'billing@fairlawn.example' };
  const customer = await client.call(entityCalls.createCustomer, { token, body });
  return { token, customerId: customer.id };
}
