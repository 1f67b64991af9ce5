import type { ReactNode } from 'react';
import { CUSTOMERS, useEitherOptions, useEntityOptions, VENDORS } from '../../parts/choices/entities.ts';
import { DateField } from '../../ui/fields/DateField.tsx';
import { MoneyField } from '../../ui/fields/MoneyField.tsx';
import { Picker } from '../../ui/fields/Picker.tsx';
import { TextField } from '../../ui/fields/TextField.tsx';
import { type Grid, hasSeveralLines, type OpenRow } from './openingForm.ts';
import type { Opening } from './useOpening.ts';

/** The fields of an open document, for the cells of a grid and for the sheet on a phone. */

interface RowFieldsProps {
  opening: Opening;
  grid: Grid;
  row: OpenRow;
  /** The number of the row in its grid, for the names of the fields. Undefined outside a grid. */
  place?: number | undefined;
}

export interface RowField {
  cell: string;
  header: string;
  right?: boolean;
  width?: number;
  draw: (props: RowFieldsProps) => ReactNode;
}

type Named = (
  label: string,
  cell: string,
) => { label: string; inRow: boolean; error: string | undefined; readOnly: boolean };

function named({ opening, grid, row, place }: RowFieldsProps): Named {
  const messages = opening.messagesOf(grid, row);
  return (label, cell) => ({
    label: place === undefined ? label : `${label}, row ${place}`,
    inRow: place !== undefined,
    error: messages[cell],
    readOnly: opening.isLocked,
  });
}

const patchOf =
  ({ opening, grid, row }: RowFieldsProps) =>
  (patch: Partial<OpenRow>) =>
    opening.setRow(grid, row.key, patch);

const PARTY: Readonly<Record<Grid, string>> = { invoices: 'Customer', bills: 'Vendor', credits: 'Customer or Vendor' };

function Party(props: RowFieldsProps) {
  return props.grid === 'credits' ? <EitherParty {...props} /> : <OwnParty {...props} />;
}

const savedOf = ({ entityId, name }: OpenRow) => (entityId === null ? undefined : { id: entityId, label: name });

function OwnParty(props: RowFieldsProps) {
  const { grid, row } = props;
  const choices = useEntityOptions(grid === 'bills' ? VENDORS : CUSTOMERS, row.entityId, savedOf(row));
  return (
    <Picker
      {...named(props)(PARTY[grid], 'party')}
      {...choices}
      placeholder={row.name === '' ? PARTY[grid] : row.name}
      value={row.entityId}
      onChange={(entityId) => {
        const found = choices.options.find(({ id }) => id === entityId);
        patchOf(props)({ entityId, name: found?.label ?? '' });
      }}
    />
  );
}

/** A customer or a vendor. Their IDs share one sequence. */
function EitherParty(props: RowFieldsProps) {
  const { grid, row } = props;
  const choices = useEitherOptions(
    row.isVendor ? null : row.entityId,
    row.isVendor ? row.entityId : null,
    savedOf(row),
  );
  return (
    <Picker
      {...named(props)(PARTY[grid], 'party')}
      {...choices}
      placeholder={row.name === '' ? PARTY[grid] : row.name}
      value={row.entityId}
      onChange={(entityId) => {
        const found = choices.options.find(({ id }) => id === entityId);
        patchOf(props)({ entityId, name: found?.label ?? '', isVendor: found?.group === 'Vendors' });
      }}
    />
  );
}

function Account(props: RowFieldsProps) {
  const { opening, grid, row } = props;
  const label = grid === 'invoices' ? 'Income Account' : grid === 'bills' ? 'Expense Account' : 'Account';
  if (hasSeveralLines(row) && (row.posted?.lineItems.length ?? 0) > 1) {
    return <span className="ob-several ek-muted">{`${row.posted?.lineItems.length ?? 0} accounts`}</span>;
  }
  return (
    <Picker
      {...named(props)(label, 'account')}
      options={opening.lineAccounts}
      placeholder="Account"
      value={row.accountId}
      onChange={(accountId) => patchOf(props)({ accountId })}
    />
  );
}

const FIELDS: Readonly<Record<string, Omit<RowField, 'cell'>>> = {
  party: { header: 'Customer', draw: (props) => <Party {...props} /> },
  number: {
    header: 'Number',
    width: 72,
    draw: (props) => (
      <TextField
        {...named(props)('Number', 'number')}
        value={props.row.number}
        onChange={(number) => patchOf(props)({ number })}
        maxLength={50}
      />
    ),
  },
  date: {
    header: 'Date',
    width: 101,
    draw: (props) => (
      <DateField
        {...named(props)('Date', 'date')}
        placeholder=""
        value={props.row.date}
        onChange={(date) => patchOf(props)({ date })}
      />
    ),
  },
  due: {
    header: 'Due Date',
    width: 101,
    draw: (props) => (
      <DateField
        {...named(props)('Due Date', 'due')}
        placeholder=""
        value={props.row.dueDate}
        onChange={(dueDate) => patchOf(props)({ dueDate })}
      />
    ),
  },
  account: { header: 'Account', draw: (props) => <Account {...props} /> },
  tax: {
    header: 'Tax Item',
    width: 112,
    draw: (props) => (
      <Picker
        {...named(props)('Tax Item', 'tax')}
        options={props.opening.taxes}
        noneLabel="None"
        value={props.row.scenarioId}
        onChange={(scenarioId) => patchOf(props)({ scenarioId })}
      />
    ),
  },
  unpaid: {
    header: 'Unpaid Amount',
    right: true,
    width: 112,
    draw: (props) => (
      <MoneyField
        {...named(props)(props.grid === 'credits' ? 'Remaining Credit' : 'Unpaid Amount', 'unpaid')}
        value={props.row.unpaid}
        onChange={(unpaid) => patchOf(props)({ unpaid })}
      />
    ),
  },
};

const HEADERS: Readonly<Record<Grid, Readonly<Record<string, string>>>> = {
  invoices: { account: 'Income Account' },
  bills: { party: 'Vendor', account: 'Expense Account' },
  credits: { party: 'Customer or Vendor', unpaid: 'Remaining Credit' },
};

/** Returns the fields for the cells of each grid row, in order. */
export function fieldsOf(grid: Grid, cells: readonly string[]): RowField[] {
  return cells.flatMap((cell) => {
    const field = FIELDS[cell];
    return field === undefined ? [] : [{ ...field, cell, header: HEADERS[grid][cell] ?? field.header }];
  });
}
