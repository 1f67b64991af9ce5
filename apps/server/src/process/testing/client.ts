import { expect } from 'vitest';
import type { Installation } from './installation.ts';

/** The parts of a request. `key` is the Idempotency-Key. */
export interface Ask {
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  token?: string | undefined;
  key?: string;
  body?: unknown;
  headers?: Record<string, string>;
}

export interface Answer {
  status: number;
  headers: Headers;
  body: unknown;
}

/** Sends one API request over HTTP. Rejects if the connection breaks. */
export async function ask(address: string, path: string, { method, token, key, body, headers }: Ask = {}) {
  const answer = await fetch(`${address}${path}`, {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(key === undefined ? {} : { 'idempotency-key': key }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  const isJson = answer.headers.get('content-type')?.startsWith('application/json') ?? false;
  const read: Answer = { status: answer.status, headers: answer.headers, body: isJson ? JSON.parse(text) : text };
  return read;
}

/** Returns the body of a response whose status must be 200. */
export async function must<T>(address: string, path: string, sent: Ask = {}): Promise<T> {
  const { status, body } = await ask(address, path, sent);
  expect([path, status, status === 200 ? '' : body]).toEqual([path, 200, '']);
  return body as T;
}

export const EMAIL = 'ada@harbor.example';
export const PASSWORD = 'a plain passphrase';

/** Creates a company from the command line. */
export async function createCompany(
  installation: Installation,
  environment: Readonly<Record<string, string>>,
  email = EMAIL,
): Promise<number> {
  const who = ['--name', 'Harbor Supply', '--first-name', 'Ada', '--last-name', 'Admin', '--email', email];
  const args = ['company', 'create', ...who, '--password', PASSWORD];
  const { code, result, err } = await installation.cli(environment, ...args);
  expect([code, code === 0 ? '' : err]).toEqual([0, '']);
  return (result as { companyId: number }).companyId;
}

/** Signs in and accepts the terms. Returns the new token. */
export async function signIn(address: string, email = EMAIL, password = PASSWORD): Promise<string> {
  const { token } = await must<{ token: string }>(address, '/api/login', { body: { email, password } });
  return must<string>(address, '/api/UserAdmin/UpdateUserTerms', {
    method: 'PUT',
    token,
    body: { termsAccepted: true },
  });
}

export async function addCustomer(address: string, token: string, name: string): Promise<number> {
  const { id } = await must<{ id: number }>(address, '/api/customer', {
    token,
    body: { name, emailAddress: 'bills@customer.example' },
  });
  return id;
}

/** Returns an open invoice with one line. The `description` identifies it. */
export function invoiceOf(customerId: number, description: string, dollars = 100) {
  const line = {
    id: -1,
    productId: null,
    description,
    itemPrice: dollars,
    quantity: 1,
    accountId: 140,
    taxable: false,
  };
  return {
    customerId,
    invoiceDate: '2026-03-02',
    dueDate: '2026-04-01',
    arBillingStatus: 2,
    lineItems: [line],
  };
}

/** Returns a payment into the Checking account that is applied to one invoice. */
export function paymentOf(customerId: number, invoiceId: number, amount: number) {
  return {
    customerId,
    paymentDate: '2026-03-09',
    paymentAmount: amount,
    paymentTypeId: 2,
    paymentAccountId: 104,
    paymentApplications: [{ invoiceId, amount }],
  };
}

export interface Verified {
  ok: boolean;
  companies: {
    companyId: number;
    transactions: number;
    lines: number;
    faults: { check: string; transactionId?: number; postingNo?: number; message: string }[];
  }[];
}

/** Runs `evenkeel verify` in a separate process. */
export async function verify(installation: Installation, environment: Readonly<Record<string, string>>) {
  const { code, result, err } = await installation.cli(environment, 'verify', '--json');
  return { code, err, ...(result as Verified) };
}
