import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Installation, type Program } from './process/testing/installation.ts';
import { emptyDatabase } from './testing/empty-database.ts';

let database: Awaited<ReturnType<typeof emptyDatabase>>;
let dataDir: string;
let installation: Installation;
beforeAll(async () => {
  database = await emptyDatabase();
  installation = await Installation.make();
  dataDir = await mkdtemp(join(tmpdir(), 'evenkeel-main-'));
});
afterAll(async () => {
  await installation.remove();
  await database.drop();
  await rm(dataDir, { recursive: true, force: true });
});

const start = (environment: Record<string, string> = {}): Program =>
  installation.run('main.js', [], { DATABASE_URL: database.url, DATA_DIR: dataDir, PORT: '0', ...environment });

test('an invalid setting causes a one-line error and exit code 1', async () => {
  const program = start({ PORT: '0x50' });
  expect(await program.ended).toBe(1);
  expect(program.err()).toMatch(/^Evenkeel could not start: PORT: must be a whole number from 0 to 65535\n$/);
});

test("an operator's mistake causes a one-line error and exit code 1 before anything starts", async () => {
  const nowhere = join(dataDir, 'nowhere');
  const damaged = join(dataDir, 'damaged');
  await mkdir(damaged);
  await writeFile(join(damaged, 'secret.key'), 'short');
  const wrong: [Record<string, string>, RegExp][] = [
    [{ TERMS_DIR: nowhere }, /TERMS_DIR: .*nowhere \(ENOENT\)/],
    [{ SECRET_KEY: 'short' }, /SECRET_KEY: must be 32 bytes, encoded as 64 hexadecimal digits or in Base64/],
    [{ DATA_DIR: damaged }, /The key file .*secret\.key must contain 32 bytes/],
    [{ MAIL_DIR: '/dev/null/outbox' }, /MAIL_DIR: \/dev\/null is a file, not a folder/],
    [{ DATABASE_URL: '', DATA_DIR: '/dev/null/books' }, /DATA_DIR: \/dev\/null is a file, not a folder/],
  ];
  const ended = wrong.map(async ([environment, line]) => {
    const program = start(environment);
    expect([environment, await program.ended]).toEqual([environment, 1]);
    expect(program.err()).toMatch(new RegExp(`^Evenkeel could not start: ${line.source}\\n$`));
  });
  await Promise.all(ended);
});

test('a busy port causes a one-line error and exit code 1', async () => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const address = other.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const program = start({ PORT: String(port) });
  expect(await program.ended).toBe(1);
  expect(program.err()).toBe(
    `Evenkeel could not start: Port ${port} is already in use. ` +
      'Stop the other program or set PORT to a different port\n',
  );
  await new Promise((resolve) => other.close(resolve));
});

test('the first start prints the address and a link, and the link, emails, and shutdown work', async () => {
  const program = start();
  const [, address] = await program.says(/Evenkeel is listening on (http:\S+)/);
  const [, link] = await program.says(/To register the first one, open (\S+)/);
  expect(program.out()).toMatch(
    /^Your books are stored in the database \w+ on \S+\. To back them up, run: npm run .+ backup/m,
  );
  expect((await fetch(`${address}/readyz`)).status).toBe(200);
  const post = (path: string, body: unknown) =>
    fetch(`${address}/api/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const registration = {
    firstname: 'Fay',
    lastname: 'Founder',
    email: 'fay@founder.example',
    companyName: 'First Books',
    password: 'a first password',
    confirmPassword: 'a first password',
    acceptedterms: true,
    token: new URL(link ?? '').searchParams.get('token'),
  };
  expect((await post('register', registration)).status).toBe(200);
  expect((await post('login', { email: registration.email, password: registration.password })).status).toBe(200);
  expect((await post('register/forgotpassword', { Email: registration.email })).status).toBe(200);
  await program.says(/Reset your password \(fay@founder\.example\): the email with the link is in MAIL_DIR/);
  const [letter = '', ...others] = await readdir(join(dataDir, 'outbox'));
  expect(others).toEqual([]);
  expect(await readFile(join(dataDir, 'outbox', letter), 'utf8')).toContain(`${address}/reset-password?token=`);
  expect(program.out()).not.toContain('reset-password?token=');
  const began = performance.now();
  program.child.kill('SIGTERM');
  expect(await program.ended).toBe(0);
  expect(performance.now() - began).toBeLessThan(10_000);
  const log = program.out();
  expect(log).not.toContain(registration.password);
  expect(log.split('\n').find((line) => line.includes('/api/login'))).toMatch(/"status":200/);
});
