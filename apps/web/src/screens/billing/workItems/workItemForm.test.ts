import { WorkItem, WorkItemInput } from '@evenkeel/contract/workitems';
import { decode, encode } from '@evenkeel/contract/wire';
import { isoDate } from '@evenkeel/core/dates';
import { cents } from '@evenkeel/core/money';
import { expect, it } from 'vitest';
import { ItemForm, itemFaults, itemFormOf, itemInput, lineErrors, placedItem } from './workItemForm.ts';
import { wireItem } from '../testing/answers.tsx';

const TODAY = isoDate('2026-06-12');

it("a new work item has today's date and quantity 1, and requires a customer, description, account, and price", () => {
  const form = itemFormOf(undefined, TODAY);
  expect(form).toMatchObject({ workitemDate: TODAY, dueDate: null, line: { serviceDate: TODAY, quantity: 1 } });
  expect(placedItem(itemFaults(form, {}))).toEqual({
    customerId: 'Please Select a Customer',
    'line.description': 'A description entry is required',
    'line.accountId': 'Please Select an Account',
    'line.price': 'Please enter a price',
  });
});

it('a work item requires a profit center and a location if the company uses them', () => {
  const form = itemFormOf(decode(WorkItem, wireItem()), TODAY);
  expect(itemFaults(form, {})).toEqual({});
  const fields = placedItem(itemFaults(form, { useProfitCenters: true, useLocations: true }));
  expect(lineErrors(fields)).toEqual({
    profitCenterId: 'Please Select a Profit Center',
    locationId: 'Please Select a Location',
  });
});

it('a saved work item is sent back unchanged: 5.5 hours at 86.00', () => {
  const saved = decode(WorkItem, wireItem());
  const form = itemFormOf(saved, TODAY);
  expect(ItemForm.safeParse(form).success).toBe(true);
  expect(encode(WorkItemInput, { ...itemInput(form), id: saved.id })).toMatchObject({
    id: 71,
    customerId: 5,
    description: 'Storm cleanup, crew hour',
    itemPrice: 86,
    quantity: 5.5,
    serviceDate: '2026-06-10',
    workitemDate: '2026-06-11',
    accountId: 141,
    rowVersion: 1,
  });
  const changed = { ...form, line: { ...form.line, price: cents(9_000) } };
  expect(encode(WorkItemInput, itemInput(changed))).toMatchObject({ itemPrice: 90 });
});

it("the server's message about the price appears at the price field", () => {
  expect(
    placedItem({ itemPrice: 'Price has more than 2 decimal places', customerId: 'Please Select a Customer' }),
  ).toEqual({
    'line.price': 'Price has more than 2 decimal places',
    customerId: 'Please Select a Customer',
  });
});
