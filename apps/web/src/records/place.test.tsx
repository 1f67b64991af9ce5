// @vitest-environment jsdom
import '../testing/setup.ts';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { expect, it } from 'vitest';
import { FilterBox } from '../ui/page/FilterBox.tsx';
import { NameLink } from '../ui/show/NameLink.tsx';
import { show } from '../testing/show.tsx';
import { useAddressChoice, useAddressText, useOpenRecord } from './openRecord.ts';
import { useCloseSubPage, useOpenSubPage, usePlace } from './place.ts';

const address = () => window.location.pathname + window.location.search;
const box = () => screen.getByLabelText<HTMLInputElement>('Search');

function Page() {
  const place = usePlace();
  // The first page, which an earlier timer or a late response may still refer to.
  const [first] = useState(place);
  const [filter, setFilter] = useAddressText('q');
  const [show, setShow] = useAddressChoice('show', ['active', 'all']);
  const edit = useOpenRecord('edit');
  const customer = useOpenRecord('customer');
  const navigate = useNavigate();
  return (
    <>
      <FilterBox placeholder="Search" value={filter} onChange={setFilter} />
      <button onClick={() => edit.open(0)}>Add</button>
      <button onClick={edit.close}>Close</button>
      <button onClick={() => first.go({ q: 'late' })}>Late</button>
      <button onClick={() => void navigate(-1)}>Back</button>
      <button
        onClick={() => {
          setShow('all');
          customer.open(4);
        }}
      >
        Both
      </button>
      <button
        onClick={() => {
          edit.close();
          setShow('all');
        }}
      >
        Close and show
      </button>
      <NameLink {...customer.link(5)}>Five</NameLink>
      <Link to="/list?q=oak">Oak</Link>
      <p>{`${filter} ${show} ${edit.id ?? 'closed'} ${customer.id ?? 'none'}`}</p>
    </>
  );
}

const press = (name: string) => act(async () => fireEvent.click(screen.getByText(name)));

it('two URL changes in the same tick are both applied', async () => {
  show(<Page />, '/list?q=oak');
  await press('Both');
  expect(address()).toBe('/list?q=oak&show=all&customer=4');
  expect(await screen.findByText('oak all closed 4')).toBeTruthy();
});

it("a change that was prepared before a dialog closes doesn't reopen the dialog", async () => {
  show(<Page />, '/list?edit=0');
  await press('Close');
  await press('Late');
  expect(address()).toBe('/list?q=late');
});

it('a change right after Back applies to the page that Back opens', async () => {
  show(<Page />, '/list');
  await press('Add');
  expect(address()).toBe('/list?edit=0');
  await press('Close and show');
  await waitFor(() => expect(address()).toBe('/list?show=all'));
  expect(await screen.findByText('all closed none')).toBeTruthy();
});

it("a change from a page that the user has left doesn't affect the next page", async () => {
  show(<Page />, '/list');
  act(() => window.history.pushState(null, '', '/elsewhere'));
  await press('Late');
  expect(address()).toBe('/elsewhere');
});

it('a link to a record keeps the text typed just before the click', async () => {
  show(<Page />, '/list');
  await userEvent.type(box(), 'oak');
  await userEvent.click(screen.getByText('Five'));
  expect(address()).toBe('/list?q=oak&customer=5');
});

it('Back and links update the search box, even if the typed text is not in the URL yet', async () => {
  show(<Page />, '/list');
  fireEvent.change(box(), { target: { value: 'elm' } });
  await press('Oak');
  await waitFor(() => expect(box().value).toBe('oak'));
  expect(address()).toBe('/list?q=oak');
  await press('Back');
  await waitFor(() => expect(address()).toBe('/list'));
  await waitFor(() => expect(box().value).toBe(''));
});

function Lists() {
  const { query, go } = usePlace();
  return <button onClick={() => go({ tab: ['a', 'b'], q: undefined })}>{query.getAll('tab').join(' ')}.</button>;
}

it('a URL parameter can have several values, in order', async () => {
  show(<Lists />, '/list?tab=c&q=oak');
  await press('c.');
  expect(address()).toBe('/list?tab=a&tab=b');
  expect(await screen.findByText('a b.')).toBeTruthy();
});

function SubPage() {
  const openSubPage = useOpenSubPage();
  const close = useCloseSubPage('/list');
  return (
    <>
      <button onClick={() => openSubPage('/sub')}>Open sub-page</button>
      <button onClick={close}>Close sub-page</button>
    </>
  );
}

it('closing a subpage returns to the page that opened it, or to its parent page', async () => {
  show(
    <>
      <SubPage />
      <Page />
    </>,
    '/list?customer=4',
  );
  await press('Open sub-page');
  await press('Both');
  expect(address()).toBe('/sub?show=all&customer=4');
  await press('Back');
  await waitFor(() => expect(address()).toBe('/sub?show=all'));
  await press('Close sub-page');
  await waitFor(() => expect(address()).toBe('/list?customer=4'));
  act(() => window.history.replaceState(null, '', '/sub'));
  await press('Close sub-page');
  expect(address()).toBe('/list');
});
