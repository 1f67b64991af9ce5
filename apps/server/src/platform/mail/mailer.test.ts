import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SMTPServer } from 'smtp-server';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Message, openMailer } from './mailer.ts';

let mailDir: string;
beforeAll(async () => {
  mailDir = await mkdtemp(join(tmpdir(), 'evenkeel-mail-'));
});
afterAll(() => rm(mailDir, { recursive: true, force: true }));

const message: Message = {
  to: 'rita@harbor.example',
  subject: 'Reset your password',
  text: 'Open the link',
  html: '<p>Open the link</p>',
  link: 'https://books.example/reset-password?token=x',
};
const settings = () => ({ smtpUrl: undefined, mailFrom: 'Books <books@harbor.example>', mailDir });

test.each([
  ['a line break in the address', { to: 'rita@harbor.example\r\nBcc: eve@evil.example' }],
  ['two addresses', { to: 'rita@harbor.example,eve@evil.example' }],
  ['a name around the address', { to: 'Rita <rita@harbor.example>' }],
  ['a line break in the subject', { subject: 'Reset\nBcc: eve@evil.example' }],
])('an email with %s is not sent', async (_, change) => {
  const mailer = openMailer(settings(), () => undefined);
  await expect(mailer.send({ ...message, ...change })).rejects.toThrow('is not valid in a header');
  expect(await readdir(mailDir)).toEqual([]);
});

test('without SMTP, an email becomes a JSON file, and its link is printed', async () => {
  const lines: string[] = [];
  const mailer = openMailer(settings(), (title, secret) => lines.push(`${title}: ${secret}`));
  await mailer.send(message);
  const names = await readdir(mailDir);
  expect(names).toHaveLength(1);
  const { link, ...stored } = message;
  expect(JSON.parse(await readFile(join(mailDir, names[0] ?? ''), 'utf8'))).toEqual(stored);
  expect(lines).toEqual([`Reset your password (rita@harbor.example): ${link}`]);
});

test('with SMTP_URL, an email is sent from MAIL_FROM to one recipient, as text and HTML', async () => {
  const received: { recipients: string[]; data: string }[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData: (stream, session, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        received.push({
          recipients: session.envelope.rcptTo.map(({ address }) => address),
          data: Buffer.concat(chunks).toString(),
        });
        done();
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const mailer = openMailer({ ...settings(), smtpUrl: `smtp://127.0.0.1:${port}` }, () => undefined);
  await mailer.send(message);
  await new Promise<void>((resolve) => server.close(() => resolve()));
  expect(received.map(({ recipients }) => recipients)).toEqual([['rita@harbor.example']]);
  expect(received[0]?.data).toMatch(/From: Books <books@harbor.example>/);
  expect(received[0]?.data).toMatch(/Subject: Reset your password/);
  expect(received[0]?.data).toMatch(/text\/plain[\s\S]*text\/html/);
});
