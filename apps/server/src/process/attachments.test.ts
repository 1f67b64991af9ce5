import { createHash, randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { ask, createCompany, must, signIn } from './testing/client.ts';
import { Installation, ownerOf, PATIENCE_MS, type Server } from './testing/installation.ts';

vi.setConfig({ testTimeout: PATIENCE_MS, hookTimeout: PATIENCE_MS });

const MB = 1_048_576;

let installation: Installation;
let environment: { DATA_DIR: string; LOG_LEVEL: string };
let server: Server;
let token: string;
beforeAll(async () => {
  installation = await Installation.make();
  environment = { DATA_DIR: installation.dataDir(), LOG_LEVEL: 'warn' };
  await createCompany(installation, environment);
  server = await installation.start(environment);
  token = await signIn(server.address);
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

async function saveWith(documentId: number): Promise<void> {
  const product = {
    name: 'Rope',
    description: 'Rope',
    GLAccountID: 140,
    salesPrice: 1,
    documentLinks: [{ documentId }],
  };
  await must(server.address, '/api/product/CreateProduct', { token, body: product });
}

async function bytesOf(address: string, documentId: number, who = token): Promise<Buffer> {
  const answer = await fetch(`${address}/api/document/${documentId}`, { headers: { authorization: `Bearer ${who}` } });
  expect(answer.status).toBe(200);
  return Buffer.from(await answer.arrayBuffer());
}

const uploads = (): Promise<string[]> => readdir(join(environment.DATA_DIR, 'uploads')).catch(() => []);

/** Begins an upload of 20 MB and sends half of it; answers once the server has taken that. */
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
    // The server is killed meanwhile.
    socket.on('error', (error) => reject(error));
  });
}

test('killed in the middle of an upload, and between upload and save: nothing is left after the sweep', async () => {
  const saved = randomBytes(300_000);
  const kept = await upload(saved);
  await saveWith(kept);
  const forgotten = await upload(randomBytes(2 * MB));
  await beginUpload();
  await server.kill();
  server = await installation.start(environment);
  expect(await uploads()).toEqual([]);
  const owner = await ownerOf(environment.DATA_DIR);
  const counts = async () => {
    const { rows } = await owner.query<{ files: number; contents: number; bytes: number }>(
      `select (select count(*)::int from attachment) as files,
        (select count(*)::int from attachment_content) as contents,
        (select sum(length(bytes))::int from attachment_part) as bytes`,
    );
    return rows[0];
  };
  // The first had its answer, so it waits for its save; the second was never there.
  expect(await counts()).toEqual({ files: 2, contents: 2, bytes: 300_000 + 2 * MB });
  await owner.query(`update attachment set uploaded_at = now() - interval '25 hours'`);
  // The sweep runs at each start.
  await owner.end();
  await server.kill();
  server = await installation.start(environment);
  const again = await ownerOf(environment.DATA_DIR);
  const left = async () => (await again.query<{ id: number }>('select id::int from attachment')).rows;
  await expect.poll(left, { timeout: 30_000 }).toEqual([{ id: kept }]);
  const { rows } = await again.query(`select sum(length(bytes))::int as bytes from attachment_part`);
  await again.end();
  expect(rows).toEqual([{ bytes: 300_000 }]);
  expect((await ask(server.address, `/api/document/${forgotten}`, { token })).status).toBe(404);
  expect(digest(await bytesOf(server.address, kept))).toBe(digest(saved));
});

test('a backup carries the files: restored elsewhere they are there to the byte', async () => {
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
