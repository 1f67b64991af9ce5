import { expect, test } from 'vitest';
import { ConfigError, readConfig } from './config.ts';

// Promise (start): An invalid setting prevents startup with a one-line message and exit code 1. [44 values]
test.each([
  ['PORT', 'eighty'],
  ['PORT', '65536'],
  ['PORT', '0x50'],
  ['PORT', '8e1'],
  ['PORT', '80.0'],
  ['PORT', '+80'],
  ['PORT', ' 80'],
  ['PORT', '-0'],
  ['HOST', 'http://books.example'],
  ['HOST', 'books example'],
  ['DATA_DIR', 'books\nbeside'],
  ['MAIL_FROM', 'Books <books@harbor.example>\r\nBcc: eve@evil.example'],
  ['MAIL_FROM', 'Books'],
  ['MAIL_FROM', 'a@harbor.example, b@harbor.example'],
  ['MAIL_FROM', 'Books <books@harbor.example'],
  ['MAIL_DIR', 'out\tbox'],
  ['TERMS_DIR', 'terms\n'],
  ['SECRET_KEY', 'secret'],
  ['SECRET_KEY', 'g'.repeat(64)],
  ['SECRET_KEY', '5a'.repeat(31)],
  ['SECRET_KEY', `${'A'.repeat(42)}=`],
  ['PUBLIC_URL', 'https:/books.example'],
  ['PUBLIC_URL', 'https://'],
  ['PUBLIC_URL', 'https://books.example?a=b'],
  ['PUBLIC_URL', 'https://books.example/#a'],
  ['PUBLIC_URL', 'https://user:secret@books.example'],
  ['PUBLIC_URL', 'https://books.example '],
  ['CHAT_WIDGET_URL', 'https:chat.example'],
  ['SMTP_URL', 'smtp:mail.example'],
  ['SESSION_MAX_DAYS', '1e1'],
  ['PASSWORD_MIN', '0b111'],
  ['LOG_FORMAT', 'xml'],
  ['DATABASE_URL', 'mysql://books'],
  ['DATABASE_URL', 'books'],
  ['PUBLIC_URL', 'ftp://books.example'],
  ['SMTP_URL', 'http://mail.example'],
  ['SIGN_UP', 'everybody'],
  ['TRUST_PROXY', 'perhaps'],
  ['METRICS', 'perhaps'],
  ['METRICS', '127.0.0.1'],
  ['METRICS', '127.0.0.1:70000'],
  ['METRICS', '::1:9100'],
  ['LOG_LEVEL', 'loud'],
  ['PASSWORD_MIN', '5'],
  ['PASSWORD_MIN', '65'],
  ['SESSION_IDLE_HOURS', '0'],
  ['MAX_UPLOAD_MB', '-1'],
])('the configuration rejects %s=%s with one line that names the variable', (name, value) => {
  expect(() => readConfig({ [name]: value })).toThrow(ConfigError);
  expect(() => readConfig({ [name]: value })).toThrow(new RegExp(`^${name}: [^\\n]+$`));
});

test.each([
  ['MAIL_FROM', 'books@harbor.example'],
  ['MAIL_FROM', 'Evenkeel <evenkeel@localhost>'],
  ['MAIL_FROM', '"Books, Harbor" <books@harbor.example>'],
  ['MAIL_FROM', '<books@harbor.example>'],
  ['METRICS', 'off'],
  ['METRICS', '127.0.0.1:9100'],
  ['METRICS', '[::1]:9100'],
  ['HOST', '::1'],
  ['HOST', 'fe80::1%eth0'],
  ['HOST', 'localhost'],
  ['PORT', '0'],
  ['PORT', '00080'],
  ['DATABASE_URL', 'postgres:///books?host=/var/run/postgresql'],
  ['DATABASE_URL', 'postgresql://ada:secret@db.example:5433/books?sslmode=require'],
  ['SMTP_URL', 'smtps://ada%40harbor.example:secret@mail.example:465'],
  ['PUBLIC_URL', 'https://books.example:8443'],
  ['DATA_DIR', '/srv/buecher – 2026'],
  ['SECRET_KEY', '5a'.repeat(32)],
  ['SECRET_KEY', `${'A'.repeat(43)}=`],
])('the configuration accepts %s=%s', (name, value) => {
  expect(() => readConfig({ [name]: value })).not.toThrow();
});

test('an empty variable counts as unset, and every variable has a default', () => {
  const config = readConfig({ PORT: '', HOST: '' });
  expect(config).toMatchObject({
    port: 3000,
    host: '127.0.0.1',
    databaseUrl: undefined,
    publicUrl: 'http://127.0.0.1:3000',
    signUp: 'invite',
    trustProxy: false,
    maxUploadMb: 25,
    sessionIdleHours: 12,
    sessionMaxDays: 30,
    passwordMin: 6,
  });
});

test("listening on all interfaces gives a localhost URL, and PUBLIC_URL's trailing slash is removed", () => {
  expect(readConfig({ HOST: '0.0.0.0', PORT: '8080' }).publicUrl).toBe('http://localhost:8080');
  expect(readConfig({ PUBLIC_URL: 'https://books.example/' }).publicUrl).toBe('https://books.example');
});
