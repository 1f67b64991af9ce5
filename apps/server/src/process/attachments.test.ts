import { createHash, randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { ask, createCompany, must, signIn, verify } from './testing/client.ts';
import { Installation, ownerOf, PATIENCE_MS, type Server } from './testing/installation.ts';

vi.setConfig({ testTimeout: PATIENCE_MS, hookTimeout: PATIENCE_MS });

const MB = 1_048_576;

let installation: Installation;
let environment: { DATA_DIR: string; LOG_LEVEL: string };
let server: Server;
let token: string;
let vendorId: number;
beforeAll(async () => {
  installation = await Installation.make();
  environment = { DATA_DIR: installation.dataDir(), LOG_LEVEL: 'warn' };
  await createCompany(installation, environment);
  server = await installation.start(environment);
  token = await signIn(server.address);
  const vendor = { name: 'Quarry Supply', emailAddress: 'bills@quarry.example' };
  vendorId = (await must<{ id: number }>(server.address, '/api/vendor', { token, body: vendor })).id;
});
afterAll(() => installation.remove());

const digest = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

async function upload(bytes: Buffer): Promise<number> {
  const body = new FormData();
  body.append('file', new Blob([new Uint8Array(bytes)]), 'scan.pdf');
  const headers = { authorization: `Bearer ${token}` };
  const answer = await fetch(`${server.address}/api/document`, { method: 'POST', headers, body });
  expect(answer.status).toBe(200);
  return ((await answer.json()) as { documentId: number }).documentId;
}

/** Returns a bill for 100.00 with a credit line and an attached file. */
function billWith(documentId: number) {
  const line = { accountId: 153, description: 'Gravel' };
  return {
    vendorId,
    invoiceNumber: `B-${documentId}`,
    invoiceDate: '2026-03-02',
    lineItems: [
      { ...line, lineItemAmount: 120 },
      { ...line, lineItemAmount: 20, creditLine: true },
    ],
    documentLinks: [{ documentId }],
  };
}

/** Returns a payment of 30.00 on a bill, with an attached file. */
function paymentWith(documentId: number, invoiceId: number) {
  return {
    vendorId,
    paymentDate: '2026-03-09',
    paymentAmount: 30,
    paymentAccountId: 104,
    paymentApplications: [{ invoiceId, amount: 30 }],
    documentLinks: [{ documentId }],
  };
}

interface Linked {
  id: number;
  documentLinks: { documentId: number }[];
}

const saveWith = (documentId: number): Promise<Linked> =>
  must(server.address, '/api/expenseinvoice', { token, body: billWith(documentId) });

/** Returns the files that are attached to bills and payments. Each file must be complete. */
async function filesOfWholeRecords(firstBill: number): Promise<number[]> {
  const get = <T>(path: string): Promise<T> => must(server.address, `/api/${path}`, { token });
  const rows = await get<{ id: number; kind: string }[]>(`vendorexpensehistory/${vendorId}`);
  const read = (kind: string, path: string) =>
    Promise.all(rows.filter((row) => row.kind === kind).map(({ id }) => get<Linked & Whole>(`${path}/${id}`)));
  const [bills, payments] = await Promise.all([read('invoice', 'expenseinvoice'), read('payment', 'expensepayment')]);
  for (const { invoiceAmount, lineItems } of bills) expect([invoiceAmount, lineItems.length]).toEqual([100, 2]);
  for (const { paymentApplications } of payments) {
    expect(paymentApplications).toMatchObject([{ invoiceId: firstBill, amount: 30 }]);
  }
  const first = bills.find(({ id }) => id === firstBill);
  expect(first?.openAmount).toBe(100 - 30 * payments.length);
  return [...bills, ...payments]
    .map(({ documentLinks }) => documentLinks[0]?.documentId ?? 0)
    .toSorted((a, b) => a - b);
}

interface Whole {
  invoiceAmount: number;
  openAmount: number;
  lineItems: object[];
  paymentApplications: object[];
}

async function bytesOf(address: string, documentId: number, who = token): Promise<Buffer> {
  const answer = await fetch(`${address}/api/document/${documentId}`, { headers: { authorization: `Bearer ${who}` } });
  expect(answer.status).toBe(200);
  return Buffer.from(await answer.arrayBuffer());
}

const uploads = (): Promise<string[]> => readdir(join(environment.DATA_DIR, 'uploads')).catch(() => []);

/** Starts an upload of 20 MB and sends half of it. Returns after the server has received that half. */
function beginUpload(): Promise<void> {
  const { hostname, port } = new URL(server.address);
  const head =
    `POST /api/document HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${token}\r\n` +
    `content-type: multipart/form-data; boundary=b\r\ncontent-length: ${20 * MB}\r\n\r\n` +
    '--b\r\ncontent-disposition: form-data; name="file"; filename="half.pdf"\r\n\r\n';
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port) }, () => {
      socket.write(head);
      socket.write(randomBytes(10 * MB), () => resolve());
    });
    // The server is killed before the requests get a response.
    socket.on('error', (error) => reject(error));
  });
}

test('a kill during an upload, before the save, or during the save leaves no orphaned files', async () => {
  const saved = randomBytes(300_000);
  const kept = await upload(saved);
  const { id: firstBill } = await saveWith(kept);
  const forgotten = await upload(randomBytes(2 * MB));
  const files = await Promise.all(Array.from({ length: 6 }, () => upload(randomBytes(1000))));
  await beginUpload();
  const writes = files.map((documentId, at) => ({
    key: `key-${documentId}`,
    ...(at % 2 === 0
      ? { path: '/api/expenseinvoice', body: billWith(documentId) }
      : { path: '/api/expensepayment', body: paymentWith(documentId, firstBill) }),
  }));
  const send = (write: (typeof writes)[number]) => ask(server.address, write.path, { token, ...write });
  const sent = writes.map(send);
  const answers = Promise.allSettled(sent);
  await Promise.race(sent);
  await server.kill();
  const answered = (await answers).map((one) => (one.status === 'fulfilled' ? one.value : undefined));
  server = await installation.start(environment);
  expect(await uploads()).toEqual([]);
  const found = await filesOfWholeRecords(firstBill);
  answered.forEach((one, at) => (one?.status === 200 ? expect(found).toContain(files[at]) : undefined));
  // After the requests are repeated with their keys, each record exists once. The third payment of 30.00 is the last
  // payment that the balance allows.
  for (const write of writes) expect((await send(write)).status).toBe(200);
  expect(await filesOfWholeRecords(firstBill)).toEqual([kept, ...files].toSorted((a, b) => a - b));
  const owner = await ownerOf(environment.DATA_DIR);
  const counts = async () => {
    const { rows } = await owner.query<{ files: number; contents: number; bytes: number }>(
      `select (select count(*)::int from attachment) as files,
        (select count(*)::int from attachment_content) as contents,
        (select sum(length(bytes))::int from attachment_part) as bytes`,
    );
    return rows[0];
  };
  // The upload that was not attached to a bill got a response, so its file can still be attached. The partial upload
  // was never saved.
  expect(await counts()).toEqual({ files: 8, contents: 8, bytes: 306_000 + 2 * MB });
  // The rows are written the way Evenkeel writes them, because `verify` reports changes by the owner as problems.
  await owner.query(`begin; set local role evenkeel_app; set local app.company_id = '1';
    update attachment set uploaded_at = now() - interval '25 hours'; commit`);
  // The cleanup runs at each startup.
  await owner.end();
  await server.kill();
  server = await installation.start(environment);
  const again = await ownerOf(environment.DATA_DIR);
  const left = async () =>
    (await again.query<{ id: number }>('select id::int from attachment order by id')).rows.map(({ id }) => id);
  await expect.poll(left, { timeout: 30_000 }).toEqual([kept, ...files].toSorted((a, b) => a - b));
  const { rows } = await again.query(`select sum(length(bytes))::int as bytes from attachment_part`);
  await again.end();
  expect(rows).toEqual([{ bytes: 306_000 }]);
  expect((await ask(server.address, `/api/document/${forgotten}`, { token })).status).toBe(404);
  expect(digest(await bytesOf(server.address, kept))).toBe(digest(saved));
  expect((await verify(installation, environment)).companies.map(({ faults }) => faults)).toEqual([[]]);
});

test('a backup includes the files, and restoring it elsewhere restores them byte for byte', async () => {
  const bytes = randomBytes(3 * MB + 7);
  const documentId = await upload(bytes);
  await saveWith(documentId);
  const file = join(installation.root, 'books.backup');
  const made = await installation.cli(environment, 'backup', file);
  expect([made.code, made.code === 0 ? '' : made.err]).toEqual([0, '']);
  const elsewhere = { DATA_DIR: installation.dataDir(), LOG_LEVEL: 'warn' };
  const restored = await installation.cli(elsewhere, 'restore', file);
  expect([restored.code, restored.code === 0 ? '' : restored.err]).toEqual([0, '']);
  const other = await installation.start(elsewhere);
  const who = await signIn(other.address);
  expect(digest(await bytesOf(other.address, documentId, who))).toBe(digest(bytes));
  await other.stop();
});
