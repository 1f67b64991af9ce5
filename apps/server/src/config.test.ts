import { expect, test } from 'vitest';
import { ConfigError, readConfig } from './config.ts';

test.each([
  ['PORT', 'eighty'],
  ['PORT', '65536'],
  ['DATABASE_URL', 'mysql://books'],
  ['DATABASE_URL', 'books'],
  ['PUBLIC_URL', 'ftp://books.example'],
  ['SMTP_URL', 'http://mail.example'],
  ['SIGN_UP', 'everybody'],
  ['TRUST_PROXY', 'perhaps'],
  ['LOG_LEVEL', 'loud'],
  ['PASSWORD_MIN', '5'],
  ['PASSWORD_MIN', '65'],
  ['SESSION_IDLE_HOURS', '0'],
  ['MAX_UPLOAD_MB', '-1'],
])('%s=%s is refused in one line that names it', (name, value) => {
  expect(() => readConfig({ [name]: value })).toThrow(ConfigError);
  expect(() => readConfig({ [name]: value })).toThrow(new RegExp(`^${name}: [^\\n]+$`));
});

test('an empty variable counts as unset, and nothing set gives the defaults', () => {
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

test('a server on all interfaces is reached as localhost, and PUBLIC_URL loses its trailing slash', () => {
  expect(readConfig({ HOST: '0.0.0.0', PORT: '8080' }).publicUrl).toBe('http://localhost:8080');
  expect(readConfig({ PUBLIC_URL: 'https://books.example/' }).publicUrl).toBe('https://books.example');
});
