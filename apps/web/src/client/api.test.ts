// @vitest-environment jsdom
import { authCalls } from '@evenkeel/contract/auth';
import { entityCalls } from '@evenkeel/contract/entities';
import { textFields } from '@evenkeel/contract/fields';
import { partyTexts } from '@evenkeel/contract/party';
import { statementCalls } from '@evenkeel/contract/statements';
import { renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ask, SavedEarlier, send, sendOnce, useSendOne } from './api.ts';
import { call, NoAnswer } from './transport.ts';
import type { SendPlace, Unanswered } from '../ui/hooks/draft.ts';

interface Request {
  key: string | null;
  body: string;
}

let requests: Request[];
let answers: (() => Response | Promise<Response>)[];
let kept: Unanswered | undefined;
const place: SendPlace = { read: () => kept, write: (sent) => void (kept = sent), isOneRecord: true };
const lost = (): Promise<Response> => Promise.reject(new TypeError('network'));
const saved = (): Response => new Response(JSON.stringify(REPLY), { status: 200 });
const refused = (): Response =>
  new Response(JSON.stringify({ code: 'rule', message: 'No', requestId: '1' }), { status: 422 });

const REPLY = {
  id: 7,
  displayname: 'Fern',
  name: 'Fern',
  ...textFields(partyTexts, () => ''),
  emailAddress: 'a@b.example',
  emails: [],
  accountNumber: '',
  isIndividual: false,
  phones: [],
  phoneList: [],
  contacts: [],
  contactList: [],
  addresses: [],
  documentLinks: [],
  extendedProperties: [],
  primaryContactName: '',
  primaryContactEmail: '',
  primaryContactPhone: '',
  deleted: false,
  currentbalance: 0,
  salesTaxScenarioId: null,
  taxExempt: false,
  taxPermitNo: '',
  exemptReason: null,
  exemptUntil: null,
  termsDays: null,
  discountPercent: null,
  discountDays: null,
  rowVersion: 1,
};

beforeEach(() => {
  requests = [];
  answers = [];
  kept = undefined;
  // The network is simulated, because these tests are about responses and failures.
  vi.stubGlobal('fetch', async (_url: string, init: RequestInit) => {
    const body = typeof init.body === 'string' ? init.body : '';
    requests.push({ key: new Headers(init.headers).get('idempotency-key'), body });
    return answers.shift()?.() ?? saved();
  });
});
afterEach(() => vi.unstubAllGlobals());

const create = (name: string) =>
  sendOnce(entityCalls.createCustomer, { body: { name, emailAddress: 'a@b.example' } }, place);

it('a request without a response is repeated with the same key', async () => {
  answers = [lost, saved];
  await expect(create('Fern')).rejects.toBeInstanceOf(NoAnswer);
  expect((await create('Fern')).id).toBe(7);
  expect(requests.map((each) => each.key)).toEqual([requests[0]?.key, requests[0]?.key]);
  expect(kept).toBeUndefined();
});

it('after a lost response, only reads and keyed writes can be repeated without a check', async () => {
  const safe = 'The connection was lost. Your changes are still here. Try again.';
  const unsure = 'The connection was lost. Your changes may have been saved. Check before you try again.';
  answers = [lost, lost, lost, lost];
  await expect(create('Fern')).rejects.toThrow(safe);
  await expect(call(entityCalls.getCustomer, { params: { id: 7 } })).rejects.toThrow(safe);
  const [params, body] = [{ id: 7 }, { name: 'Fern', emailAddress: 'a@b.example' }];
  await expect(send(ask(entityCalls.updateCustomer, { params, body }))).rejects.toThrow(unsure);
  await expect(send(ask(entityCalls.deleteCustomer, { params }))).rejects.toThrow(unsure);
});

const reused = (): Response =>
  new Response(JSON.stringify({ code: 'key_reused', message: 'Used', requestId: '1' }), { status: 409 });

it('a form that is changed after a lost response sends its current values with the first key', async () => {
  answers = [lost, saved];
  await expect(create('Fern')).rejects.toBeInstanceOf(NoAnswer);
  expect((await create('Fern & Co')).id).toBe(7);
  expect(requests.map((each) => each.body.includes('Fern & Co'))).toEqual([false, true]);
  expect(requests[1]?.key).toBe(requests[0]?.key);
});

it('if the lost request was saved, every later attempt says so and creates no second record', async () => {
  answers = [lost, reused, reused];
  await expect(create('Fern')).rejects.toBeInstanceOf(NoAnswer);
  await expect(create('Fern & Co')).rejects.toBeInstanceOf(SavedEarlier);
  await expect(create('Fern & Sons')).rejects.toBeInstanceOf(SavedEarlier);
  expect(new Set(requests.map((each) => each.key)).size).toBe(1);
});

it('without a draft, a changed request gets a new key, and an unchanged request keeps its key', async () => {
  const shared: SendPlace = { ...place, isOneRecord: false };
  const send = (name: string) =>
    sendOnce(entityCalls.createCustomer, { body: { name, emailAddress: 'a@b.example' } }, shared);
  answers = [lost, lost, saved];
  await expect(send('Fern')).rejects.toBeInstanceOf(NoAnswer);
  await expect(send('Fern')).rejects.toBeInstanceOf(NoAnswer);
  await send('Moss');
  expect(requests[1]?.key).toBe(requests[0]?.key);
  expect(requests[2]?.key).not.toBe(requests[0]?.key);
});

it('a rejection ends the request, and the next request has a new key', async () => {
  answers = [refused, saved];
  await expect(create('Fern')).rejects.toThrow('No');
  await create('Fern');
  expect(requests[1]?.key).not.toBe(requests[0]?.key);
});

it('a password is never stored on the device, even while signed in and after a lost response', async () => {
  answers = [lost];
  const password = 'a few plain words';
  const body = { token: 'of the letter', email: 'a@b.example', password, confirmPassword: password };
  const tried = send(ask(authCalls.resetPassword, { body }));
  const kept = () => JSON.stringify({ ...localStorage, ...sessionStorage });
  expect(kept()).not.toContain(password);
  await expect(tried).rejects.toBeInstanceOf(NoAnswer);
  expect(kept()).not.toContain(password);
  expect(requests).toHaveLength(1);
});

it('after 2 lost responses, requests for 2 records through the same call are repeated with separate keys', async () => {
  const exclude = (id: number) => {
    const input = { params: { id }, body: { action: 'exclude' as const, rowVersion: 1 } };
    return send(ask(statementCalls.actOnBankLine, input)).catch(() => undefined);
  };
  answers = [lost, lost, lost, lost];
  for (const id of [7, 8, 7, 8]) await exclude(id);
  const [one, other, ...again] = requests.map(({ key }) => key);
  expect([one === other, again]).toEqual([false, [one, other]]);
});

it('a small form without a draft creates one record, even if it is changed after a lost response', async () => {
  const made = (name: string) => ask(entityCalls.createCustomer, { body: { name, emailAddress: 'a@b.example' } });
  const { result } = renderHook(() => useSendOne());
  answers = [lost, saved, lost, saved, saved];
  await expect(result.current(made('Fern'))).rejects.toBeInstanceOf(NoAnswer);
  await result.current(made('Fern & Co'));
  expect(requests[1]?.key).toBe(requests[0]?.key);
  await expect(result.current(made('Moss'))).rejects.toBeInstanceOf(NoAnswer);
  expect(requests[2]?.key).not.toBe(requests[0]?.key);
  // A reload closes the form. Entering the same values again then repeats the request, and entering other values starts
  // a new request.
  const other = renderHook(() => useSendOne()).result;
  await other.current(made('Birch'));
  expect(requests[3]?.key).not.toBe(requests[2]?.key);
});

it("a page knows from the last response whether the device's clock is wrong", async () => {
  const DAYS = 3 * 86_400_000;
  const at = (time: number) => () =>
    new Response(JSON.stringify(REPLY), { headers: { date: new Date(time).toUTCString() } });
  const nextPage = async () => {
    vi.resetModules();
    return (await import('./transport.ts')).serverNow() - Date.now();
  };
  answers = [at(Date.now() - DAYS)];
  await create('Fern');
  expect(Math.round((await nextPage()) / 60_000)).toBe(-DAYS / 60_000);
  answers = [at(Date.now())];
  await create('Moss');
  expect(await nextPage()).toBe(0);
});
