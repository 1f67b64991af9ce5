import type { ProductOrPackage } from '@evenkeel/contract/catalogue';
import type { WorkItemInput } from '@evenkeel/contract/workitems';
import type { IsoDate } from '@evenkeel/core/dates';
import type { LineRequirements } from '@evenkeel/core/documents/invoice';
import { type Cents, ZERO } from '@evenkeel/core/money';
import type { Choice } from '../../../parts/choices/choice.ts';
import { readDate } from '../../../ui/fields/readDate.ts';
import { readMoney } from '../../../ui/fields/readMoney.ts';
import { byName, cellsOf, idOf, type Names, plainName } from '../../../ui/table/pasted.ts';
import { itemPatch } from '../invoices/entryColumns.tsx';
import { lineAmount } from '../invoices/invoiceForm.ts';
import { itemFaults, type ItemForm, itemFormOf, itemInput } from './workItemForm.ts';

/** Converts spreadsheet rows to work items: parsing, validation, and requests. */

/** The maximum number of rows in one request. */
export const MOST_ROWS = 500;

/** The columns in their default order, with the headings that identify them. */
const COLUMNS = {
  customer: ['customer', 'client'],
  item: ['item', 'product', 'service', 'product or service'],
  quantity: ['quantity', 'qty', 'hours'],
  rate: ['rate', 'price'],
  date: ['date', 'service date', 'sale/service date'],
  description: ['description', 'memo', 'work item'],
  profitCenter: ['profit center'],
  location: ['location'],
} as const;
type Column = keyof typeof COLUMNS;
type Cells = Readonly<Record<Column, string>>;
const ORDER = [
  'customer',
  'item',
  'quantity',
  'rate',
  'date',
  'description',
  'profitCenter',
  'location',
] as const satisfies Column[];
const NOTHING: Cells = {
  customer: '',
  item: '',
  quantity: '',
  rate: '',
  date: '',
  description: '',
  profitCenter: '',
  location: '',
};

/** Returns the column for a heading, or undefined for any other string. */
const columnOf = (cell: string): Column | undefined =>
  ORDER.find((column) => COLUMNS[column].some((head) => head === plainName(cell)));

/** The names used to find a row's records. */
export interface ItemNames {
  customers: Names;
  items: readonly ProductOrPackage[];
  profitCenters: readonly Choice[] | undefined;
  locations: readonly Choice[] | undefined;
  required: LineRequirements;
}

/** Returns the rows as named cells, without the heading row. */
export function pastedCells(text: string): Cells[] {
  const [first, ...others] = cellsOf(text, { takesCommas: true });
  if (first === undefined) return [];
  const heads = first.map(columnOf);
  const isHead = heads.filter((head) => head !== undefined).length > 1;
  const order = isHead ? heads : ORDER;
  return (isHead ? others : [first, ...others]).map((row) => {
    const cells: Record<Column, string> = { ...NOTHING };
    for (const [at, cell] of row.entries()) {
      const column = order[at];
      if (column !== undefined) cells[column] = cell;
    }
    return cells;
  });
}

/** Converts cells back to text, for rows that are not saved. */
export const textOf = (rows: readonly Cells[]): string =>
  rows
    .map((cells) =>
      ORDER.map((column) => cells[column])
        .join('\t')
        .trimEnd(),
    )
    .join('\n');

/** Returns the customers named in the rows, without duplicates. */
export const customersOf = (rows: readonly Cells[]): string[] => [
  ...new Map(rows.flatMap(({ customer }) => (customer === '' ? [] : [[plainName(customer), customer]]))).values(),
];

/** A pasted row with its total and error messages. The row can be saved if it has no errors. */
export interface PastedRow {
  cells: Cells;
  form: ItemForm;
  amount: Cents;
  told: readonly string[];
}

/** Parses a number of hours or units: `2.5`, `1,000`, or `1:30`. Returns undefined for any other string. */
function readQuantity(text: string): number | undefined {
  const time = /^(\d{1,4}):([0-5]\d)$/.exec(text);
  if (time !== null) return Math.round((Number(time[1]) + Number(time[2]) / 60) * 1e6) / 1e6;
  const plain = text.replaceAll(',', '');
  return /^(\d+\.?\d{0,6}|\.\d{1,6})$/.test(plain) ? Number(plain) : undefined;
}

const choiceNames = (choices: readonly Choice[] | undefined): Names =>
  byName((choices ?? []).filter(({ isRetired }) => isRetired !== true).map(({ id, label }) => [id, [label]]));

/** Parses the rows. `account` is the account for rows without an item. */
export function readRows(
  rows: readonly Cells[],
  names: ItemNames,
  { today, account }: { today: IsoDate; account: number | null },
): PastedRow[] {
  // Packages and discounts have their own ID sequences, so an item is identified by its position in the list.
  const items = byName(names.items.map(({ name }, place) => [place + 1, [name]]));
  const [centers, locations] = [choiceNames(names.profitCenters), choiceNames(names.locations)];
  return rows.map((cells) => {
    const told: string[] = [];
    const named = (found: Names, text: string, word: string) => idOf(found, { text, word, told });
    const customerId = named(names.customers, cells.customer, 'customer');
    const item = names.items[(named(items, cells.item, 'item') ?? 0) - 1];
    const [date, rate, quantity] = [readDate(cells.date, today), readMoney(cells.rate), readQuantity(cells.quantity)];
    if (date === undefined) told.push(`“${cells.date}” is not a date.`);
    if (rate === undefined) told.push(`“${cells.rate}” is not an amount.`);
    if (cells.quantity !== '' && quantity === undefined) told.push(`“${cells.quantity}” is not a quantity.`);
    const { line, ...form } = itemFormOf(undefined, today);
    const sold = item === undefined ? { accountId: account } : itemPatch(item, { ...line, quantity: quantity ?? 1 });
    if (item?.isProduct === false && rate !== null && rate !== undefined && rate !== sold.price) {
      told.push(`${item.name} has its own price. Leave the rate empty.`);
    }
    const filled = {
      ...line,
      quantity: quantity ?? 1,
      serviceDate: date ?? today,
      ...sold,
      ...(rate === null || rate === undefined || item?.isProduct === false ? {} : { price: rate }),
      ...(cells.description === '' ? {} : { description: cells.description }),
    };
    const profitCenterId = named(centers, cells.profitCenter, 'profit center') ?? filled.profitCenterId;
    const locationId = named(locations, cells.location, 'location') ?? filled.locationId;
    const whole = { ...form, customerId, workitemDate: date ?? today, line: { ...filled, profitCenterId, locationId } };
    const faults = told.length > 0 ? told : [...new Set(Object.values(itemFaults(whole, names.required)))];
    return { cells, form: whole, amount: faults.length > 0 ? ZERO : lineAmount(whole.line), told: faults };
  });
}

/** Returns the request body for a valid row. */
export function rowInput({ form }: PastedRow): Omit<WorkItemInput, 'id' | 'rowVersion'> {
  const { id: _, rowVersion: __, ...input } = itemInput(form);
  return input;
}
