// @vitest-environment jsdom
import '../../testing/setup.ts';
import { QueryClientProvider } from '@tanstack/react-query';
import { type EntityChoice, type EntityChoices, entityCalls } from '@evenkeel/contract/entities';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, it } from 'vitest';
import { makeQueryClient } from '../../client/api.ts';
import { Picker } from '../../ui/fields/Picker.tsx';
import { show } from '../../testing/show.tsx';
import { typeAtOnce } from '../../testing/typing.ts';
import { type EntitySource, useEntityOptions } from './entities.ts';

const one = (id: number, displayname: string): EntityChoice => {
  return { id, displayname, dba: '', emailAddress: '', primaryContactPhone: '', namesake: false };
};
const MANY = Array.from({ length: 50 }, (_, index) => one(index + 1, `Customer ${index + 1}`));

/** Customers that are not among the first customers in the long list. */
const OTHERS = [one(77, 'Oak Hollow'), one(78, 'Oatfield'), one(900, 'Old Name')];
const byId = (id: number): EntityChoice => {
  const found = [...MANY, ...OTHERS].find((each) => each.id === id);
  if (found === undefined) throw new Error(`there is no customer ${id}`);
  return found;
};

/** A server that holds back its responses to searches. `asked` lists the searches that arrived. */
function serverOf(first: EntityChoices | Promise<EntityChoices>) {
  const asked: { q?: string; id?: number }[] = [];
  const waiting = new Map<string, (answer: EntityChoices) => void>();
  const source: EntitySource = {
    loadAll: 'Error Loading Customers',
    choose: (query) => {
      const read = () => {
        asked.push(query);
        if (query.id !== undefined) return Promise.resolve({ items: [byId(query.id)], hasMore: false });
        if (query.q === undefined) return Promise.resolve(first);
        return new Promise<EntityChoices>((resolve) => waiting.set(query.q ?? '', resolve));
      };
      return { endpoint: entityCalls.chooseCustomer, input: { query }, read, once: read };
    },
  };
  return { asked, waiting, source };
}

function Field({ source, initial = null, made }: { source: EntitySource; initial?: number | null; made?: string[] }) {
  const [id, setId] = useState<number | null>(initial);
  const choices = useEntityOptions(source, id);
  const onCreate = made === undefined ? undefined : (text: string) => void made.push(text);
  return <Picker label="Customer" {...choices} value={id} onChange={setId} onCreate={onCreate} />;
}

const open = (source: EntitySource, given: { initial?: number; made?: string[] } = {}) =>
  show(
    <QueryClientProvider client={makeQueryClient()}>
      <Field source={source} {...given} />
    </QueryClientProvider>,
  );
const offered = () => screen.queryAllByRole('option').map((option) => option.textContent);

it('a late response never replaces the response to a later search', async () => {
  const { source, waiting } = serverOf({ items: MANY, hasMore: true });
  open(source);
  const field = screen.getByRole('combobox', { name: 'Customer' });
  await userEvent.click(field);
  await waitFor(() => expect(offered()).toHaveLength(50));
  typeAtOnce(field, 'oa');
  await waitFor(() => expect([...waiting.keys()]).toEqual(['oa']));
  typeAtOnce(field, 'k');
  await waitFor(() => expect([...waiting.keys()]).toEqual(['oa', 'oak']));
  waiting.get('oak')?.({ items: [byId(77)], hasMore: false });
  await waitFor(() => expect(offered()).toEqual(['Oak Hollow']));
  waiting.get('oa')?.({ items: [byId(78)], hasMore: false });
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(offered()).toEqual(['Oak Hollow']);
  await userEvent.keyboard('{Enter}');
  expect(field).toHaveProperty('value', 'Oak Hollow');
});

it('a short list loads completely, needs no search, and resolves the selected ID', async () => {
  const { source, asked } = serverOf({ items: MANY.slice(0, 20), hasMore: false });
  open(source, { initial: 900 });
  const field = screen.getByRole('combobox', { name: 'Customer' });
  await waitFor(() => expect(field).toHaveProperty('value', 'Old Name'));
  await userEvent.type(field, 'customer 19{Enter}');
  expect(field).toHaveProperty('value', 'Customer 19');
  expect(asked.filter(({ q }) => q !== undefined)).toEqual([]);
});

/** A first response that is held back until the test releases it. */
function late(first: EntityChoices) {
  let come = (): void => undefined;
  const promise = new Promise<EntityChoices>((resolve) => (come = () => resolve(first)));
  return { ...serverOf(promise), come: () => come() };
}

it('a short list offers to add a customer only after it loads, and is then filtered by the typed name', async () => {
  const { source, come } = late({ items: MANY.slice(0, 20), hasMore: false });
  const made: string[] = [];
  open(source, { made });
  const field = screen.getByRole('combobox', { name: 'Customer' });
  await userEvent.type(field, 'customer 19');
  expect(offered()).toEqual([]);
  expect(screen.getByText('Searching …')).toBeTruthy();
  await userEvent.keyboard('{Enter}');
  come();
  await waitFor(() => expect(field).toHaveProperty('value', 'Customer 19'));
  await userEvent.clear(field);
  await userEvent.type(field, 'Customer 77');
  expect(offered()).toEqual(['+ Add "Customer 77"']);
  expect(made).toEqual([]);
});

it('if the list is long, a name that was typed before the first response is sent to the server', async () => {
  const { source, waiting, come } = late({ items: MANY, hasMore: true });
  open(source, { made: [] });
  typeAtOnce(screen.getByRole('combobox', { name: 'Customer' }), 'oak');
  come();
  await waitFor(() => expect([...waiting.keys()]).toEqual(['oak']));
  expect(offered()).toEqual([]);
  waiting.get('oak')?.({ items: [byId(77)], hasMore: false });
  await waitFor(() => expect(offered()).toEqual(['Oak Hollow', '+ Add "oak"']));
});
