import type { Cents } from '@evenkeel/core/money';
import { IconCheck } from '@tabler/icons-react';
import { type Choice, keeping, labelOf } from '../../choices/choice.ts';
import type { Dimensions } from '../../choices/dimensions.ts';
import { CheckField } from '../../../ui/fields/CheckField.tsx';
import { MoneyField } from '../../../ui/fields/MoneyField.tsx';
import { Picker } from '../../../ui/fields/Picker.tsx';
import { TextField } from '../../../ui/fields/TextField.tsx';
import type { LineColumn } from '../../../ui/lines/lineColumns.ts';
import { ICON_SMALL } from '../../../ui/show/icons.ts';
import type { DocumentLine } from './lineForm.ts';

type Field = LineColumn<DocumentLine>;

export const DESCRIPTION: Field = {
  id: 'description',
  header: 'Description',
  show: (line) => line.description,
  edit: ({ line, set, field }) => (
    <TextField {...field} value={line.description} maxLength={2000} onChange={(description) => set({ description })} />
  ),
};

/**
 * A column for a value that is stored in the line. `of` reads the value, and `patch` returns the change after an edit.
 */
interface Typed<Line, Value> extends Pick<LineColumn<Line>, 'id' | 'header' | 'width'> {
  of: (line: Line) => Value;
  patch: (value: Value) => Partial<Line>;
  isFixed?: (line: Line) => boolean;
}

/** A checkbox column. A committed line shows a check mark. */
export function checkColumn<Line>({ of, patch, isFixed, ...column }: Typed<Line, boolean>): LineColumn<Line> {
  return {
    ...column,
    half: true,
    show: (line) => of(line) && <IconCheck {...ICON_SMALL} aria-hidden={false} aria-label={column.header} />,
    edit: ({ line, set, field }) => (
      <CheckField {...field} value={of(line)} disabled={isFixed?.(line)} onChange={(value) => set(patch(value))} />
    ),
  };
}

/** An editable amount column. `show` formats the amount of a committed line. */
export function moneyColumn<Line>({
  of,
  patch,
  isFixed,
  ...column
}: Typed<Line, Cents | null> & Pick<LineColumn<Line>, 'show'>): LineColumn<Line> {
  return {
    ...column,
    right: true,
    half: true,
    edit: ({ line, set, field }) => (
      <MoneyField {...field} value={of(line)} disabled={isFixed?.(line)} onChange={(value) => set(patch(value))} />
    ),
  };
}

interface Choosing {
  id: 'accountId' | 'profitCenterId' | 'locationId';
  header: string;
  width: number;
  /** The options that can be selected. `every` also contains options that only saved lines still use. */
  options: readonly Choice[];
  every?: readonly Choice[];
  isLoading?: boolean;
  /** Whether the value can be cleared. */
  isOptional?: boolean;
}

function choiceColumn({ id, header, width, options, every = options, isLoading, isOptional }: Choosing): Field {
  return {
    id,
    header,
    width,
    half: id !== 'accountId',
    show: (line) => labelOf(every, line[id]),
    edit: ({ line, set, field }) => (
      <Picker
        {...field}
        options={keeping(
          options,
          every.find((option) => option.id === line[id]),
        )}
        value={line[id]}
        isLoading={isLoading}
        placeholder={header}
        noneLabel={isOptional === true ? 'None' : undefined}
        onChange={(next) => set({ [id]: next })}
      />
    ),
  };
}

/** The column width in px that leaves 160 px for a long name. */
const PLACE = 176;

/** Returns the account column, followed by the profit center and location columns if they have options. */
export function postingColumns(
  { profitCenters, locations, required }: Dimensions,
  { width = 200, ...accounts }: Pick<Choosing, 'options' | 'every' | 'isLoading'> & { width?: number },
): Field[] {
  const place = (chosen: Omit<Choosing, 'options' | 'width'>, options: Choice[] | undefined): Field[] =>
    options === undefined ? [] : [choiceColumn({ ...chosen, width: PLACE, options })];
  return [
    choiceColumn({ id: 'accountId', header: 'Account', width, ...accounts }),
    ...place({ id: 'profitCenterId', header: 'Profit Center', isOptional: !required.useProfitCenters }, profitCenters),
    ...place({ id: 'locationId', header: 'Location', isOptional: !required.useLocations }, locations),
  ];
}
