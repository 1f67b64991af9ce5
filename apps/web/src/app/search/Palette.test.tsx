// @vitest-environment jsdom
import '../../testing/setup.ts';
import { AREAS } from '@evenkeel/contract/areas';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { IconLogout } from '@tabler/icons-react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { sessionUser, signIn, signOut, updateSession } from '../../client/session.ts';
import {
  type Answer,
  fakeNetwork,
  type FakeNetwork,
  showWithData,
  signedIn,
} from '../../screens/billing/testing/answers.tsx';
import { typeAtOnce } from '../../testing/typing.ts';
import { alerts } from '../../ui/alerts/store.ts';
import { KEYS } from '../../ui/keys/keys.ts';
import { KEY_SECTIONS } from './keyWords.ts';
import { SearchBox } from './SearchBox.tsx';

let network: FakeNetwork;
let helped: string[] = [];
let out: number;

beforeEach(() => {
  signedIn();
  updateSession({ permissions: AREAS.map((area) => `Manage ${area}` as const) });
  network = fakeNetwork();
  out = 0;
  helped = [];
});
afterEach(() => {
  localStorage.clear();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  signOut();
  alerts.forget();
});

function Frame() {
  const [isOpen, set] = useState(false);
  const logout = { id: 'logout', text: 'Logout', icon: IconLogout, run: () => (out += 1) };
  return (
    <>
      <SearchBox actions={[logout]} sheet={{ isOpen, set }} onHelp={(topic) => helped.push(topic)} />
      <input aria-label="Note" />
      <main id="main" tabIndex={-1} />
    </>
  );
}

const customer = (itemId: number, itemText: string) => ({ itemType: 0, itemId, itemText, searchDisplayItems: [] });
const ok = (...results: object[]): Answer => ({ status: 200, body: results });
/** Sets the responses to searches in order. The last response is repeated. */
const answers = (...all: (Answer | Promise<Answer>)[]): void => {
  network.answers['POST /search'] = all;
};
/** A response that is held back until the test releases it. */
function held(answer: Answer) {
  let release = (): void => undefined;
  const later = new Promise<Answer>((done) => (release = () => done(answer)));
  return { later, release };
}
const texts = () => network.writes.filter(({ path }) => path === '/search').map(({ body }) => body);

const box = () => screen.findByRole('combobox', { name: 'Search or run a command' });
const rows = () => screen.queryAllByRole('option').map((row) => row.textContent);
const chosen = () => screen.queryByRole('option', { selected: true })?.textContent;

/** Opens the palette on a page and types `text`. */
async function search(text = ''): Promise<HTMLElement> {
  showWithData(<Frame />, '/billing');
  fireEvent.keyDown(document.body, { key: 'k', ctrlKey: true });
  const input = await box();
  if (text !== '') typeAtOnce(input, text);
  return input;
}

describe('opening the palette', () => {
  it('the palette opens with Ctrl+K in a field, keeps text typed during loading, and closes with Escape', async () => {
    answers(ok(customer(5, 'Oak Hollow')));
    showWithData(<Frame />, '/billing');
    const note = screen.getByLabelText('Note');
    note.focus();
    fireEvent.keyDown(note, { key: 'k', ctrlKey: true });
    for (const key of 'oak') fireEvent.keyDown(note, { key });
    const input = await box();
    expect(document.activeElement).toBe(input);
    expect(input).toHaveProperty('value', 'oak');
    await waitFor(() => expect(rows()[0]).toBe('Oak Hollow'));
    await userEvent.keyboard('{Escape}');
    expect(input).toHaveProperty('value', '');
    await userEvent.keyboard('{Escape}');
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(document.activeElement).toBe(note);
  });

  it('pressing / outside a field or using the search box in the top bar opens the palette', async () => {
    showWithData(<Frame />, '/billing');
    await userEvent.type(screen.getByLabelText('Note'), '1/2?');
    expect(screen.getByLabelText('Note')).toHaveProperty('value', '1/2?');
    expect(screen.queryByRole('dialog')).toBeNull();
    screen.getByLabelText('Note').blur();
    await userEvent.keyboard('/');
    await box();
    await userEvent.keyboard('{Escape}');
    await userEvent.click(screen.getByRole('button', { name: /^Search/ }));
    await box();
    await userEvent.click(screen.getByRole('button', { name: 'Search' }));
    expect(alerts.state().past[0]?.text).toBe('Please enter text to search for.');
    alerts.forget();
    await userEvent.type(await box(), '{Enter}');
    expect(alerts.state().past[0]?.text).toBe('Please enter text to search for.');
    expect(screen.queryByRole('dialog')).not.toBeNull();
  });
});

it('the palette lists help topics last and opens them in the help panel', async () => {
  answers(ok(customer(5, 'Workshop')));
  await search('work items');
  const help = within(await screen.findByRole('group', { name: 'Help' }));
  expect(screen.getAllByRole('group').at(-1)?.textContent).toContain('Help');
  await userEvent.click(help.getByRole('option', { name: /^Work Items/ }));
  expect([screen.queryByRole('dialog'), helped]).toEqual([null, ['work-items']]);
  // The question also finds the topic, because filler words are ignored.
  fireEvent.keyDown(document.body, { key: 'k', ctrlKey: true });
  typeAtOnce(await box(), 'where are the work items');
  await screen.findByRole('option', { name: /^Work Items/ });
});

describe('search responses', () => {
  it('the palette never replaces later results with a late response to an earlier search', async () => {
    const [slow, quick] = [held(ok(customer(1, 'Oak'))), held(ok(customer(2, 'Oakley')))];
    answers(slow.later, quick.later);
    const input = await search('oak');
    await waitFor(() => expect(texts()).toEqual(['oak']));
    typeAtOnce(input, 'ley');
    await waitFor(() => expect(texts()).toEqual(['oak', 'oakley']));
    quick.release();
    await waitFor(() => expect(rows()[0]).toBe('Oakley'));
    slow.release();
    await new Promise((done) => setTimeout(done, 20));
    expect(rows()[0]).toBe('Oakley');
  });

  it('the palette searches again for the same text, so that new records are found', async () => {
    answers(ok(customer(1, 'Oak')), ok(customer(1, 'Oak'), customer(2, 'Oak, saved since')));
    const input = await search('oak');
    await waitFor(() => expect(rows()[0]).toBe('Oak'));
    fireEvent.change(input, { target: { value: '' } });
    await new Promise((done) => setTimeout(done, 200));
    fireEvent.change(input, { target: { value: 'oak' } });
    await waitFor(() => expect(rows()).toContain('Oak, saved since'));
    expect(texts()).toEqual(['oak', 'oak']);
  });

  it('after a failed search, the palette shows an error with Retry, and the session continues', async () => {
    answers({ status: 500, body: { code: 'error', message: 'No disk', requestId: '1' } }, ok(customer(1, 'Oak')));
    await search('oak');
    expect((await screen.findByRole('alert')).textContent).toContain('Error! No disk');
    await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
    await waitFor(() => expect(rows()[0]).toBe('Oak'));
    expect(screen.queryByRole('alert')).toBeNull();
    expect(sessionUser()).not.toBeNull();
  });

  it("the palette reports that no record was found, and doesn't search for shorter text", async () => {
    answers(ok());
    const input = await search('qz');
    await new Promise((done) => setTimeout(done, 200));
    expect(texts()).toEqual([]);
    typeAtOnce(input, 'x');
    expect(await screen.findByText('No results for “qzx”')).toBeTruthy();
    expect(chosen()).toBe('Add Customer “qzx”');
    await userEvent.keyboard('{Enter}');
    expect(window.location.pathname + window.location.search).toBe('/customers?edit=0');
  });
});

describe('palette keyboard control', () => {
  it('Enter opens the selected row and makes it the first recent choice, and the arrow keys wrap around', async () => {
    answers(ok(customer(5, 'Oak Hollow'), customer(6, 'Oak Hill')));
    await search('oak');
    await waitFor(() => expect(chosen()).toBe('Oak Hollow'));
    await userEvent.keyboard('{ArrowDown}');
    expect(chosen()).toBe('Oak Hill');
    await userEvent.keyboard('{ArrowUp}{ArrowUp}');
    expect(chosen()).toBe(rows().at(-1));
    await userEvent.keyboard('{ArrowDown}{ArrowDown}{Enter}');
    expect(window.location.pathname + window.location.search).toBe('/customers?customer=6');
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(document.activeElement?.id).toBe('main');
    fireEvent.keyDown(document.body, { key: 'k', ctrlKey: true });
    await box();
    const recent = screen.getByRole('group', { name: 'Recent' });
    expect(
      within(recent)
        .getAllByRole('option')
        .map((row) => row.textContent),
    ).toEqual(['Oak HillCustomer']);
  });

  it('pressing Enter before the response arrives opens the first record unless the user keeps typing', async () => {
    const [first, second] = [held(ok(customer(5, 'Oak Hollow'))), held(ok(customer(6, 'Oakley')))];
    answers(first.later, second.later);
    const input = await search('oak');
    await userEvent.keyboard('{Enter}');
    await waitFor(() => expect(texts()).toEqual(['oak']));
    typeAtOnce(input, 'l');
    await waitFor(() => expect(texts()).toEqual(['oak', 'oakl']));
    second.release();
    await waitFor(() => expect(chosen()).toBe('Oakley'));
    expect(window.location.pathname).toBe('/billing');
    const third = held(ok(customer(7, 'Oakley Farm')));
    answers(third.later);
    typeAtOnce(input, 'e');
    await userEvent.keyboard('{Enter}');
    expect(window.location.pathname).toBe('/billing');
    await waitFor(() => expect(texts()).toHaveLength(3));
    third.release();
    await waitFor(() => expect(window.location.search).toBe('?customer=7'));
  });

  it('Enter opens nothing if the selected row is missing from the response', async () => {
    const late = held(ok(customer(6, 'Oak Hill')));
    answers(ok(customer(5, 'Oak Hollow'), customer(7, 'Oak Row')), late.later);
    const input = await search('oak');
    await waitFor(() => expect(chosen()).toBe('Oak Hollow'));
    typeAtOnce(input, ' h');
    await userEvent.keyboard('{ArrowDown}{ArrowDown}');
    expect(chosen()).toBe('Oak Row');
    late.release();
    await waitFor(() => expect(rows()[0]).toBe('Oak Hill'));
    await userEvent.keyboard('{Enter}');
    expect([chosen(), window.location.pathname]).toEqual([undefined, '/billing']);
  });

  it('in the palette, Ctrl+Enter opens a new tab, and Enter runs an action of the app frame', async () => {
    const opened = vi.spyOn(window, 'open').mockReturnValue(null);
    answers(ok(customer(5, 'Oak Hollow')));
    await search('oak');
    await waitFor(() => expect(chosen()).toBe('Oak Hollow'));
    await userEvent.keyboard('{Control>}{Enter}{/Control}');
    expect(opened).toHaveBeenCalledWith('/customers?customer=5', '_blank', 'noopener');
    expect(window.location.pathname).toBe('/billing');
    fireEvent.keyDown(document.body, { key: 'k', metaKey: true });
    typeAtOnce(await box(), 'logo');
    await userEvent.keyboard('{Enter}');
    expect(out).toBe(1);
  });
});

it("the Switch to action opens another company, which can be found by its name or by the action's name", async () => {
  answers(ok());
  const company = { companyId: 4, companyName: 'Away Road', userRole: 'Bookkeeper', endsOn: null };
  const home = { ...company, companyId: 3, companyName: 'Home Street', isThis: true };
  const own = { companies: [{ ...company, isThis: false }, home], invitations: [], mayAdd: true };
  network.answers['GET /account/companies'] = [{ status: 200, body: own }];
  const next = { ...sessionUser(), companyId: 4, token: 'its own' };
  network.answers['POST /account/companies'] = [{ status: 200, body: next }];
  network.answers['POST /logout'] = [{ status: 200, body: { ok: true } }];
  const input = await search('switch company');
  await waitFor(() => expect(rows()[0]).toBe('Switch to Away RoadBookkeeper'));
  fireEvent.change(input, { target: { value: 'new comp' } });
  await waitFor(() => expect(rows()[0]).toBe('New Company'));
  fireEvent.change(input, { target: { value: 'away' } });
  await waitFor(() => expect(chosen()).toBe('Switch to Away RoadBookkeeper'));
  await userEvent.keyboard('{Enter}');
  await waitFor(() => expect(sessionUser()?.companyId).toBe(4));
});

it('recent choices are stored for each user and company', async () => {
  answers(ok(customer(5, 'Oak Hollow')));
  await search('oak');
  await waitFor(() => expect(chosen()).toBe('Oak Hollow'));
  await userEvent.keyboard('{Enter}');
  const ours = sessionUser();
  if (ours === null) throw new Error('no user is signed in');
  const recent = async (user: typeof ours) => {
    signIn(user);
    fireEvent.keyDown(document.body, { key: 'k', ctrlKey: true });
    await box();
    const found = screen.queryByRole('group', { name: 'Recent' })?.textContent;
    await userEvent.keyboard('{Escape}');
    return found;
  };
  expect(await recent({ ...ours, companyId: 4, token: 't4' })).toBeUndefined();
  expect(await recent({ ...ours, id: 8, token: 't8' })).toBeUndefined();
  expect(await recent(ours)).toContain('Oak Hollow');
  expect(await recent({ ...ours, permissions: ['View Vendors'] })).toBeUndefined();
});

describe('shortcut sheet', () => {
  it("? opens the shortcut sheet with all of the app's shortcuts", async () => {
    const inWords = new Set(KEY_SECTIONS.flatMap(({ keys }) => keys.flatMap(([names]) => names)));
    expect([...inWords].toSorted()).toEqual(Object.keys(KEYS).toSorted());
    showWithData(<Frame />, '/billing');
    await userEvent.keyboard('?');
    const sheet = await screen.findByRole('dialog', { name: 'Keys' });
    for (const { title } of KEY_SECTIONS) expect(within(sheet).getByRole('region', { name: title })).toBeTruthy();
    expect(within(sheet).getByRole('region', { name: 'Everywhere' }).textContent).toContain('CtrlKor/');
  });

  it('the shortcut sheet can turn off / and ?, but not Ctrl+K', async () => {
    const { unmount } = showWithData(<Frame />, '/billing');
    await userEvent.keyboard('?');
    await userEvent.click(await screen.findByRole('switch', { name: /single-key shortcuts/ }));
    expect(screen.getByRole('region', { name: 'Everywhere' }).textContent).not.toContain('/');
    await userEvent.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    unmount();
    showWithData(<Frame />, '/billing');
    await userEvent.keyboard('/?');
    fireEvent.keyDown(document.body, { key: 'k', ctrlKey: true });
    expect(await box()).toHaveProperty('value', '');
    expect(screen.queryByRole('dialog', { name: 'Keys' })).toBeNull();
  });
});
