import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../testing/app.ts';
import { testTuning } from '../testing/settings.ts';
import { hashPassword } from '../across/auth/passwords.ts';
import { reader } from '../features/banking/reader.ts';
import { openMailer } from './mail/mailer.ts';
import { forPaper } from './pdf/bitmap.ts';
import { printer } from './pdf/printer.ts';
import { readCompany } from './db/tx.ts';

let t: TestApp;
beforeAll(async () => {
  t = await startTestApp();
});
afterAll(() => t.close());

const message = { to: 'who@company.example', subject: 'Hello', text: '', html: '', link: undefined };
const waits: Record<string, () => Promise<unknown>> = {
  'An email': () => openMailer(t.services.config, () => undefined).send(message),
  'A document': () => printer.workbook({} as never),
  'A picture': () => forPaper(Buffer.from('')),
  'A password hash': () => hashPassword('a long password', testTuning.passwordCost),
  'A statement file': () => reader.read({ name: 'a.csv', bytes: new Uint8Array() } as never),
};

test.each(Object.entries(waits))('awaiting inside a transaction throws an error: %s', async (what, wait) => {
  const { companyId } = t.world.company;
  const inside = readCompany(t.pool, companyId, wait);
  await expect(inside).rejects.toThrow(`${what} must not be awaited inside a transaction`);
});
