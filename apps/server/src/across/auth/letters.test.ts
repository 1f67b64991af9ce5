import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { authCalls } from '@evenkeel/contract/auth';
import { runDueJobs } from '../../platform/db/jobs.ts';
import type { Message } from '../../platform/mail/mailer.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { letterSender } from './letters.ts';

let t: TestApp;
beforeAll(async () => {
  t = await startTestApp();
});
afterAll(() => t.close());

const rethrow = (_job: unknown, error: unknown): never => {
  throw error;
};

/**
 * Sends the queued emails. `receive` is called during delivery and simulates a recipient who opens the email
 * immediately.
 */
const deliver = (receive: (message: Message) => Promise<void>): Promise<number> => {
  const send = async (message: Message): Promise<string> => receive(message).then(() => '250 OK');
  return runDueJobs(t.pool, { letter: letterSender(t.services.config, { send }) }, rethrow);
};

const tokenIn = ({ link }: Message): string => new URL(link ?? '').searchParams.get('token') ?? '';

async function invite(email: string): Promise<void> {
  const { token } = t.world.company.administrator;
  const roles = await t.call(authCalls.listRoles, { token });
  const role = Array.isArray(roles) ? roles.find(({ roleName }) => roleName === 'Read Only') : undefined;
  await t.call(authCalls.createUser, { token, body: { firstName: 'I', lastName: 'V', email, roleId: role?.id ?? 0 } });
}

// Promise (access): The link in an email works as soon as the email can be read, and a new reset link invalidates the
// previous one. [0 of 99 links dead]
test('the link in an email works as soon as the email can be read', async () => {
  await invite('quick@harbor.example');
  const passwords = { password: 'a long enough one', confirmPassword: 'a long enough one' };
  const names = { firstname: 'Quick', lastname: 'Reader', acceptedterms: true };
  const answers: unknown[] = [];
  await deliver(async (message) => {
    answers.push(await t.call(authCalls.register, { body: { ...names, ...passwords, token: tokenIn(message) } }));
  });
  expect(answers).toEqual([{ message: 'Registration successful, you can now login' }]);
});

test('an invitation names the company and the inviter, has a link button, and explains how to ignore it', async () => {
  await invite('named@harbor.example');
  const letters: Message[] = [];
  await deliver(async (message) => void letters.push(message));
  const [{ subject, text, html, link = '' } = { subject: '', text: '', html: '' }] = letters;
  const name = t.world.company.displayname;
  const { displayName: inviter } = await t.login(t.world.company.administrator.email);
  expect(subject).toBe(`${inviter} invited you to ${name}`);
  const invited = `${inviter} has invited you to work on ${name}'s books in Evenkeel.`;
  const words = `${invited} To join, open this link within 7 days:`;
  const unknown = "If you don't know this company, you can ignore this email.";
  expect(text).toBe(['Hello I,', words, link, unknown, 'Evenkeel\n'].join('\n\n'));
  const href = link.replaceAll('&', '&amp;');
  expect(html).toMatch(/^<!doctype html>.*prefers-color-scheme:dark/);
  for (const part of [`href="${href}"`, `>Join ${name}</a>`, unknown.replace("'", '&#39;')])
    expect(html).toContain(part);
  expect(html.indexOf(`Join ${name}</a>`)).toBeLessThan(html.indexOf('know this company'));
});

test('an email that could not be sent is sent again with a link that works', async () => {
  const { companyId, reader } = t.world.company;
  await t.call(authCalls.forgotPassword, { body: { Email: reader.email } });
  const letters: Message[] = [];
  const keep = async (message: Message): Promise<void> => void letters.push(message);
  const fail = async (message: Message): Promise<void> => {
    await keep(message);
    throw new Error('the mail server is unavailable');
  };
  await expect(deliver(fail)).rejects.toThrow('the mail server is unavailable');
  expect(await deliver(keep)).toBe(0);
  await t.inCompany(companyId, (tx) => tx.rows(sql`update job set run_at = now() where company_id = ${companyId}`));
  expect(await deliver(keep)).toBe(1);
  expect(await Promise.all(letters.map(canReset))).toEqual([false, true]);
});

async function canReset(message: Message): Promise<boolean> {
  const body = { token: tokenIn(message), email: message.to };
  return (await t.request({ method: 'POST', url: '/api/validate-reset-token', body })).status === 200;
}

test.each(['one after the other', 'by two servers at once'])(
  'if two password reset links are sent %s, only the newer one works',
  async (how) => {
    const { email } = how === 'by two servers at once' ? t.world.other.reader : t.world.company.bookkeeper;
    const letters: Message[] = [];
    const keep = async (message: Message): Promise<void> => void letters.push(message);
    const ask = () => t.call(authCalls.forgotPassword, { body: { Email: email } });
    const another = async (): Promise<void> => {
      await ask();
      await deliver(keep);
    };
    await ask();
    if (how === 'one after the other') {
      await deliver(keep);
      await another();
    }
    // The email is requested again during delivery, and another server sends the second email.
    else await deliver(async (message) => void (await Promise.all([keep(message), another()])));
    expect(letters.map(({ to }) => to)).toEqual([email, email]);
    expect((await Promise.all(letters.map(canReset))).filter(Boolean)).toHaveLength(1);
    if (how === 'one after the other') expect(await Promise.all(letters.map(canReset))).toEqual([false, true]);
  },
);
