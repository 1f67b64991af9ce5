// @vitest-environment jsdom
import { entityCalls } from '@evenkeel/contract/entities';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { NoAnswer, SavedEarlier, sendOnce, type SendPlace, type Unanswered } from './api.ts';

interface Request {
  key: string | null;
  body: string;
}

let requests: Request[];
let answers: (() => Response | Promise<Response>)[];
let kept: Unanswered | undefined;
const place: SendPlace = { read: () => kept, write: (sent) => void (kept = sent) };
const lost = (): Promise<Response> => Promise.reject(new TypeError('network'));
const saved = (): Response => new Response(JSON.stringify(REPLY), { status: 200 });
const refused = (): Response =>
  new Response(JSON.stringify({ code: 'rule', message: 'No', requestId: '1' }), { status: 422 });

const REPLY = {
  id: 7,
  displayname: 'Fern',
  name: 'Fern',
  dba: '',
  emailAddress: 'a@b.example',
  emails: [],
  accountNumber: '',
  isIndividual: false,
  phones: [],
  phoneList: [],
  contacts: [],
  contactList: [],
  addresses: [],
  extendedProperties: [],
  primaryContactName: '',
  primaryContactEmail: '',
  primaryContactPhone: '',
  deleted: false,
  currentbalance: 0,
  salesTaxScenarioId: null,
  taxExempt: false,
  taxPermitNo: '',
  rowVersion: 1,
};

beforeEach(() => {
  requests = [];
  answers = [];
  kept = undefined;
  // The network is the outside world: what it answers, and whether it does, is what these tests are about.
  vi.stubGlobal('fetch', async (_url: string, init: RequestInit) => {
    const body = typeof init.body === 'string' ? init.body : '';
    requests.push({ key: new Headers(init.headers).get('idempotency-key'), body });
    return answers.shift()?.() ?? saved();
  });
});
afterEach(() => vi.unstubAllGlobals());

const create = (name: string) =>
  sendOnce(entityCalls.createCustomer, { body: { name, emailAddress: 'a@b.example' } }, place);

it('a try without an answer is tried again under the same key', async () => {
  answers = [lost, saved];
  await expect(create('Fern')).rejects.toBeInstanceOf(NoAnswer);
  expect((await create('Fern')).id).toBe(7);
  expect(requests.map((each) => each.key)).toEqual([requests[0]?.key, requests[0]?.key]);
  expect(kept).toBeUndefined();
});

it('a form changed after a lost answer first settles that try: saved, it makes no second record', async () => {
  answers = [lost, saved, saved];
  await expect(create('Fern')).rejects.toBeInstanceOf(NoAnswer);
  await expect(create('Fern & Co')).rejects.toBeInstanceOf(SavedEarlier);
  await expect(create('Fern & Co')).rejects.toBeInstanceOf(SavedEarlier);
  expect(new Set(requests.map((each) => each.key)).size).toBe(1);
  expect(requests.every((each) => each.body.includes('"Fern"'))).toBe(true);
});

it('refused after all, the changed form is sent as a request of its own', async () => {
  answers = [lost, refused, saved];
  await expect(create('Fern')).rejects.toBeInstanceOf(NoAnswer);
  expect((await create('Fern & Co')).id).toBe(7);
  expect(requests.map((each) => each.body.includes('Fern & Co'))).toEqual([false, false, true]);
  expect(requests[2]?.key).not.toBe(requests[0]?.key);
});

it('a clear no ends the request: the next one has another key', async () => {
  answers = [refused, saved];
  await expect(create('Fern')).rejects.toThrow('No');
  await create('Fern');
  expect(requests[1]?.key).not.toBe(requests[0]?.key);
});
