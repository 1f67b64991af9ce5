import { mkdtemp, readdir, readlink, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { attachmentCalls } from '@evenkeel/contract/uploads';
import { catalogueCalls } from '@evenkeel/contract/catalogue';
import { openClient } from '../../platform/db/connect.ts';
import { verifyCompany } from '../../across/health/books-verify.ts';
import { countRows, startTestApp, type TestApp } from '../../testing/app.ts';
import { digestOf, multipart, randomFile, upload } from '../../testing/files.ts';
import type { Person, WorldCompany } from '../../testing/world.ts';
import { sweepAttachments } from './files.ts';

let t: TestApp;
let company: WorldCompany;
let token: string;
let port: number;

beforeAll(async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'evenkeel-files-'));
  t = await startTestApp({ config: { maxUploadMb: 25, dataDir } });
  company = t.world.company;
  token = company.administrator.token;
  await t.app.listen({ host: '127.0.0.1', port: 0 });
  const address = t.app.server.address();
  port = typeof address === 'object' && address !== null ? address.port : 0;
});
afterAll(async () => {
  await t.close();
  await rm(t.services.config.dataDir, { recursive: true });
});

const get = (documentId: number, who: Person | undefined = company.administrator) =>
  t.request({ method: 'GET', url: `/api/document/${documentId}`, token: who?.token });

/** Creates a product with the given files attached. */
function productWith(...documentIds: number[]) {
  const body = {
    name: 'Rope',
    GLAccountID: 140,
    salesPrice: 1,
    documentLinks: documentIds.map((documentId) => ({ documentId })),
  };
  return t.call(catalogueCalls.createProduct, { token, body: { ...body, description: 'Rope' } });
}

const plus = (before: readonly number[], ...more: number[]): number[] =>
  before.map((count, index) => count + (more[index] ?? 0));

/** Counts the company's uploads, contents, and parts. */
const rows = async (): Promise<number[]> =>
  Promise.all(
    ['attachment', 'attachment_content', 'attachment_part'].map((table) => countRows(t, company.companyId, table)),
  );

describe('uploaded files', () => {
  test('a 3 MB file downloads byte for byte, and HEAD returns the same headers without the bytes', async () => {
    const bytes = randomFile(3_000_001);
    const stored = await upload(t, token, { name: 'Plan März.pdf', bytes });
    expect(stored).toEqual({
      documentId: expect.any(Number),
      documentName: 'Plan März.pdf',
      size: 3_000_001,
      contentType: 'application/pdf',
    });
    const { bytes: back, contentType } = await t.call(attachmentCalls.getDocument, {
      token,
      params: { documentId: stored.documentId },
    });
    expect([digestOf(back), contentType]).toEqual([digestOf(bytes), 'application/pdf']);
    const head = await t.request({ method: 'HEAD', url: `/api/document/${stored.documentId}`, token });
    expect([head.status, head.bytes.length]).toEqual([200, 0]);
    expect(head.headers).toMatchObject({
      'content-length': '3000001',
      'content-type': 'application/pdf',
      'content-disposition': `attachment; filename="Plan M_rz.pdf"; filename*=UTF-8''Plan%20M%C3%A4rz.pdf`,
    });
  });

  // Promise (access): An uploaded file never runs as a page. [3 of 3]
  test('a file that contains HTML is always downloaded and never shown, regardless of its name', async () => {
    const page = '<!doctype html><script>alert(document.domain)</script>';
    for (const name of ['invoice.pdf', 'page.html', 'drawing.svg']) {
      const { documentId, contentType } = await upload(t, token, { name, bytes: page });
      expect(contentType).toBe('application/octet-stream');
      const { status, headers } = await get(documentId);
      expect([status, headers]).toEqual([
        200,
        expect.objectContaining({
          'content-type': 'application/octet-stream',
          'content-disposition': expect.stringMatching(/^attachment; /),
          'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
          'x-content-type-options': 'nosniff',
          'cache-control': 'no-store',
        }),
      ]);
    }
  });

  test.each([
    ['../../etc/passwd', 'passwd'],
    ['C:\\bills\\March.pdf', 'March.pdf'],
    ['a\u202efdp.exe', 'a fdp.exe'],
    ['a"; filename="b.html', 'a%22; filename=%22b.html'],
    ['x\r\nset-cookie: a=b.pdf', 'x%0D%0Aset-cookie a=b.pdf'],
    ['', 'attachment'],
    [`${'long '.repeat(100)}.pdf`, `${'long '.repeat(29)}l.pdf`],
  ])('a file named %j downloads as %j', async (name, wanted) => {
    const { documentId, documentName } = await upload(t, token, { name });
    const { headers } = await get(documentId);
    expect(documentName).toBe(wanted);
    expect(headers['set-cookie']).toBeUndefined();
    expect(String(headers['content-disposition'])).not.toMatch(/filename="[^"]*"[^;]/);
  });

  test('a file is stored only once, even if it is uploaded several times at the same time', async () => {
    const bytes = randomFile(400_000);
    const before = await rows();
    const stored = await Promise.all([1, 2, 3, 4].map((n) => upload(t, token, { name: `${n}.pdf`, bytes })));
    expect(new Set(stored.map(({ documentId }) => documentId)).size).toBe(4);
    expect(await rows()).toEqual(plus(before, 4, 1, 4));
    for (const { documentId } of stored) expect(digestOf((await get(documentId)).bytes)).toBe(digestOf(bytes));
  });

  test('a repeated upload returns the same file, and another file with the same key is rejected', async () => {
    const bytes = randomFile(1000);
    const first = await upload(t, token, { bytes, key: 'file-1' });
    const before = await rows();
    expect(await upload(t, token, { bytes, key: 'file-1' })).toEqual(first);
    const { headers, body } = multipart('receipt.pdf', randomFile(1000));
    const again = { token, headers: { ...headers, 'idempotency-key': 'file-1' }, body };
    expect(await t.refused(attachmentCalls.uploadDocument, again)).toMatchObject({ status: 409, code: 'key_reused' });
    expect(await rows()).toEqual(before);
  });
});

describe('permissions for files', () => {
  // Promise (access): Users can open an attached file only if they can view a record that it is attached to.
  test('a file that is not attached to a record can be read by its uploader, but not by another company', async () => {
    const { documentId } = await upload(t, token, {});
    expect((await get(documentId)).status).toBe(200);
    for (const who of [company.superuser, company.reader, company.stranger, t.world.other.administrator]) {
      expect((await get(documentId, who)).status).toBe(404);
    }
    await productWith(documentId);
    expect((await get(documentId, company.reader)).status).toBe(200);
    expect((await get(documentId, company.stranger)).status).toBe(403);
    expect((await get(documentId, t.world.other.administrator)).status).toBe(404);
    expect((await t.request({ method: 'GET', url: `/api/document/${documentId}` })).status).toBe(401);
  });

  test('a user with only view permission cannot upload a file', async () => {
    const { headers, body } = multipart('a.pdf', 'a');
    const refusal = await t.refused(attachmentCalls.uploadDocument, { token: company.reader.token, headers, body });
    expect(refusal.status).toBe(403);
  });
});

/** Sends the pieces over a socket, then waits for the response or hangs up. */
function onSocket(pieces: readonly (string | Buffer)[], { hangUp }: { hangUp: boolean }): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = '';
    const socket = connect({ port, host: '127.0.0.1' }, () => {
      const write = (index: number): void => {
        const piece = pieces[index];
        if (piece !== undefined) socket.write(piece, () => write(index + 1));
        else if (hangUp) socket.resetAndDestroy();
      };
      write(0);
    });
    socket.on('data', (chunk: Buffer) => (answer += chunk.toString()));
    socket.on('close', () => resolve(answer));
    socket.on('error', (error) => (hangUp || answer !== '' ? resolve(answer) : reject(error)));
  });
}

const MB = 1_048_576;
const requestLine = (more: string): string =>
  `POST /api/document HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${token}\r\n` +
  `content-type: multipart/form-data; boundary=----a-boundary\r\n${more}\r\n`;
const opening = multipart('big.pdf', '').body.subarray(0, -'\r\n------a-boundary--\r\n'.length);

describe('upload limits', () => {
  const uploads = () => readdir(join(t.services.config.dataDir, 'uploads'));

  /** Lists the upload files that this process has open, including unlinked ones, because all of them use disk space. */
  const held = async (): Promise<string[]> => {
    const handles = await readdir('/proc/self/fd').catch(() => []);
    const paths = await Promise.all(handles.map((each) => readlink(`/proc/self/fd/${each}`).catch(() => '')));
    return paths.filter((path) => path.startsWith(t.services.config.dataDir));
  };
  /**
   * Waits until all upload files are closed. The server may still read buffered data before it notices that the client
   * hung up.
   */
  const released = async (): Promise<void> => {
    while ((await held()).length > 0) await sleep(5);
  };

  test('a file of 26 MB is rejected before any of it is read', async () => {
    const before = await rows();
    const answer = await onSocket([requestLine(`content-length: ${26 * MB}\r\n`)], { hangUp: false });
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    expect(answer).toMatch(/connection: close/i);
    expect(answer).toContain('A file can be at most 25 MB');
    expect(await rows()).toEqual(before);
  });

  test('a file of unknown length is rejected as soon as it exceeds the limit', async () => {
    const chunk = Buffer.alloc(MB, 0x61);
    let sent = 0;
    const status = await new Promise<number>((resolve, reject) => {
      const headers = { ...multipart('a', '').headers, authorization: `Bearer ${token}` };
      const out = request({ port, host: '127.0.0.1', method: 'POST', path: '/api/document', headers }, (answer) => {
        resolve(answer.statusCode ?? 0);
        out.destroy();
      });
      out.on('error', reject);
      out.write(opening);
      const more = (): void => {
        if (out.destroyed || sent >= 60) return;
        sent += 1;
        out.write(chunk, more);
      };
      more();
    });
    expect([status, sent < 60]).toEqual([413, true]);
    await released();
    expect(await uploads()).toEqual([]);
  });

  test('a 25 MB upload that is interrupted halfway leaves no data behind', async () => {
    const before = await rows();
    const length = `content-length: ${25 * MB + 300}\r\n`;
    await onSocket([requestLine(length), opening, randomFile(12 * MB)], { hangUp: true });
    await released();
    expect(await uploads()).toEqual([]);
    expect(await rows()).toEqual(before);
    // The server still accepts uploads.
    expect(await upload(t, token, {})).toMatchObject({ documentName: 'receipt.pdf' });
  });

  test('a file of exactly 25 MB is accepted', async () => {
    const bytes = randomFile(25 * MB);
    const { documentId, size } = await upload(t, token, { bytes });
    expect(size).toBe(25 * MB);
    expect(digestOf((await get(documentId)).bytes)).toBe(digestOf(bytes));
  });

  const wrong: Record<string, { headers?: Record<string, string>; body: Buffer | string; status: number }> = {
    JSON: { headers: { 'content-type': 'application/json' }, body: '{}', status: 415 },
    'a body without a form': { headers: { 'content-type': 'application/pdf' }, body: '%PDF-', status: 415 },
    'no boundary': { headers: { 'content-type': 'multipart/form-data' }, body: 'a', status: 415 },
    'an empty file': { body: multipart('a.pdf', '').body, status: 422 },
    'a different form field': { body: multipart('a.pdf', 'a', 'other').body, status: 400 },
    'a truncated body': { body: multipart('a.pdf', 'abc').body.subarray(0, -12), status: 400 },
    'a body that is not a form': { body: 'hello', status: 400 },
    nothing: { body: '', status: 400 },
  };
  test.each(Object.entries(wrong))('an invalid upload is rejected: %s', async (_, { headers, body, status }) => {
    const before = await rows();
    const sent = { token, headers: { ...multipart('a', '').headers, ...headers }, body: Buffer.from(body) };
    expect((await t.refused(attachmentCalls.uploadDocument, sent)).status).toBe(status);
    expect([await rows(), await uploads()]).toEqual([before, []]);
  });
});

describe('the cleanup of unused uploads', () => {
  const age = (ids: readonly number[]) =>
    t.inCompany(company.companyId, (tx) =>
      tx.rows(sql`update attachment set uploaded_at = now() - interval '25 hours'
        where company_id = ${company.companyId} and id = any(${ids}::bigint[])`),
    );

  test('the cleanup deletes files and their bytes only if they have been unattached for a day', async () => {
    await sweepAttachments(t.pool, company.companyId);
    const [shared, lone] = [randomFile(200_000), randomFile(200_000)];
    const before = await rows();
    const kept = await upload(t, token, { bytes: shared });
    await productWith(kept.documentId);
    const forgotten = [await upload(t, token, { bytes: shared }), await upload(t, token, { bytes: lone })];
    const young = await upload(t, token, { bytes: randomFile(1000) });
    await age([kept, ...forgotten].map(({ documentId }) => documentId));
    expect(await sweepAttachments(t.pool, company.companyId)).toBe(2);
    expect(await rows()).toEqual(plus(before, 2, 2, 3));
    expect(digestOf((await get(kept.documentId)).bytes)).toBe(digestOf(shared));
    expect((await get(young.documentId)).status).toBe(200);
    for (const { documentId } of forgotten) expect((await get(documentId)).status).toBe(404);
  });

  test('a save during the cleanup either attaches an existing file or is rejected', async () => {
    for (let round = 0; round < 20; round += 1) {
      const { documentId } = await upload(t, token, { bytes: randomFile(1000) });
      await age([documentId]);
      const body = {
        name: 'Rope',
        description: 'Rope',
        GLAccountID: 140,
        salesPrice: 1,
        documentLinks: [{ documentId }],
      };
      const [answer] = await Promise.all([
        t.request({ method: 'POST', url: '/api/product/CreateProduct', token, body }),
        sweepAttachments(t.pool, company.companyId),
      ]);
      expect([200, 422]).toContain(answer.status);
      expect((await get(documentId)).status).toBe(answer.status === 200 ? 200 : 404);
    }
  });

  test('if the same bytes are uploaded during the cleanup, the new file is kept', async () => {
    for (let round = 0; round < 10; round += 1) {
      const bytes = randomFile(300_000);
      const { documentId } = await upload(t, token, { bytes });
      await age([documentId]);
      const [again] = await Promise.all([upload(t, token, { bytes }), sweepAttachments(t.pool, company.companyId)]);
      expect(digestOf((await get(again.documentId)).bytes)).toBe(digestOf(bytes));
    }
  });
});

describe('files damaged in storage', () => {
  let owner: pg.Client;
  beforeAll(async () => {
    owner = await openClient({ connectionString: t.databaseUrl });
  });
  afterAll(() => owner.end());

  const DAMAGED =
    'The stored copy of this file is damaged. Restore it from a backup. `evenkeel verify` lists ' +
    'the damaged files.';
  const flip = `bytes = set_byte(bytes, 7, get_byte(bytes, 7) # 1)`;
  const inPart = (bytes: Buffer, partNo: number) =>
    `where company_id = ${company.companyId} and sha256 = '\\x${digestOf(bytes)}' and part_no = ${partNo}`;

  // Promise (tampering): A damaged file is never sent, and `verify` reports it. [3 + 2 kinds of damage]
  test.each<[string, string, RegExp]>([
    ['a changed bit', `update attachment_part set ${flip}`, /: a chunk was changed$/],
    [
      'a changed bit with a new digest',
      `update attachment_part set ${flip}, digest = sha256(set_byte(bytes, 7, get_byte(bytes, 7) # 1))`,
      /: the chunks do not add up to the original file$/,
    ],
    ['a missing part', 'delete from attachment_part', /: a chunk is missing$/],
  ])(
    'downloading a damaged file returns an error message, and verify names the file: %s',
    async (_, damage, reason) => {
      const bytes = randomFile(300_000);
      const { documentId } = await upload(t, token, { name: 'Lease.pdf', bytes });
      await owner.query(`${damage} ${inPart(bytes, 1)}`);
      const { status, body } = await get(documentId);
      expect([status, body]).toEqual([500, expect.objectContaining({ code: 'internal', message: DAMAGED })]);
      const { faults } = await verifyCompany(t.pool, company.companyId);
      const named = faults.filter(({ message }) => message.startsWith(`file ${digestOf(bytes)} (Lease.pdf)`));
      expect(named).toEqual([{ check: 'files', message: expect.stringMatching(reason) }]);
      await owner.query(`delete from attachment_part ${inPart(bytes, 0)}`);
    },
  );

  test('a file whose length differs from its record is damaged', async () => {
    const bytes = randomFile(300_000);
    const { documentId } = await upload(t, token, { bytes });
    const resize = (by: number) =>
      owner.query(
        `update attachment_content set size_bytes = size_bytes + ${by}
        where company_id = ${company.companyId} and sha256 = '\\x${digestOf(bytes)}'`,
      );
    for (const by of [1, -1]) {
      await resize(by);
      expect((await get(documentId)).body).toMatchObject({ message: DAMAGED });
      await resize(-by);
    }
    expect((await get(documentId)).status).toBe(200);
  });

  test.each([
    ['the last part', 22],
    ['a middle part', 12],
  ])(
    'if %s of a file is damaged, the connection is closed, so that no client accepts a partial file',
    async (_, partNo) => {
      const bytes = randomFile(3_000_000);
      const { documentId } = await upload(t, token, { bytes });
      await owner.query(`update attachment_part set ${flip} ${inPart(bytes, partNo)}`);
      const answer = await fetch(`http://127.0.0.1:${port}/api/document/${documentId}`, {
        headers: { authorization: `Bearer ${token}` },
      });
      await expect(answer.arrayBuffer()).rejects.toThrow('terminated');
    },
  );
});
