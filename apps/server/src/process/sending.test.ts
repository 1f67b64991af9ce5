import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startSmtp, type TestSmtp } from '../across/sending/testing/smtp.ts';
import { addCustomer, createCompany, invoiceOf, must, signIn } from './testing/client.ts';
import { freePort, Installation, ownerOf, PATIENCE_MS, type Server } from './testing/installation.ts';

/** The server is killed while the mail server is receiving an email from it. */

const INVOICES = 4;
/** The mail server receives the second email and never responds. */
const STALLED = 1;

vi.setConfig({ testTimeout: PATIENCE_MS, hookTimeout: PATIENCE_MS });

let installation: Installation;
let environment: Record<'DATA_DIR' | 'LOG_LEVEL' | 'PORT' | 'SMTP_URL', string>;
let smtp: TestSmtp;
let server: Server;
let token: string;

beforeAll(async () => {
  [installation, smtp] = await Promise.all([Installation.make(), startSmtp()]);
  const [DATA_DIR, PORT] = [installation.dataDir(), String(await freePort())];
  environment = { DATA_DIR, LOG_LEVEL: 'error', PORT, SMTP_URL: smtp.url };
  await createCompany(installation, environment);
  server = await installation.start(environment);
  token = await signIn(server.address);
});
afterAll(() => Promise.all([installation.remove(), smtp.close()]));

const addressOf = (at: number): string => `customer${at}@mail.example`;

interface Sending {
  history: { recipients: { state: string }[] }[];
}

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await sleep(20);
}

test('after a kill during delivery, each email arrives once, and any of unknown status is marked', async () => {
  const customerId = await addCustomer(server.address, token, 'Fairlawn Heights');
  const ids: number[] = [];
  for (let at = 0; at < INVOICES; at += 1) {
    const body = invoiceOf(customerId, `Mowing ${at}`);
    ids.push((await must<{ id: number }>(server.address, '/api/billinginvoice', { token, body })).id);
  }
  smtp.answers.set(addressOf(STALLED), 'stall');
  const several = ids.map((invoiceId, at) => ({ invoiceId, to: [addressOf(at)] }));
  await must(server.address, '/api/sending', { token, key: 'one click', body: several });
  await until(() => smtp.received.some(({ to }) => to === addressOf(STALLED)));
  await server.kill();
  smtp.answers.clear();
  server = await installation.start(environment);
  const again = await must<{ ok: boolean }[]>(server.address, '/api/sending', {
    token,
    key: 'one click',
    body: several,
  });
  expect(again.every(({ ok }) => ok)).toBe(true);
  // The killed process still has a lease of five minutes on its email.
  const owner = await ownerOf(environment.DATA_DIR);
  await owner.query('update job set run_at = now()');
  await owner.end();
  const states = () =>
    Promise.all(
      ids.map(async (id) => {
        const { history } = await must<Sending>(server.address, `/api/sendinginvoice/${id}`, { token });
        return history.flatMap(({ recipients }) => recipients.map(({ state }) => state)).join();
      }),
    );
  await until(async () => (await states()).every((state) => state !== 'queued'));
  expect(await states()).toEqual(ids.map((_, at) => (at === STALLED ? 'unsure' : 'sent')));
  expect(smtp.received.map(({ to }) => to).toSorted()).toEqual(ids.map((_, at) => addressOf(at)));
});
