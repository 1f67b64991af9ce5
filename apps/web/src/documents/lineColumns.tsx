import { type Choice, keeping, labelOf } from '../choices/choice.ts';
import type { Dimensions } from '../choices/dimensions.ts';
import { Picker } from '../ui/fields/Picker.tsx';
import { TextField } from '../ui/fields/TextField.tsx';
import type { LineColumn } from '../ui/lines/lineColumns.ts';
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

interface Choosing {
  id: 'accountId' | 'profitCenterId' | 'locationId';
  header: string;
  width: string;
  /** Those that can be chosen; `every` also those that only a saved line still has. */
  options: readonly Choice[];
  every?: readonly Choice[];
  isLoading?: boolean;
  /** It can be taken off again. */
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

/** The account, then profit center and location where there is one to choose; the account narrow when both are. */
export function postingColumns(
  { profitCenters, locations, required }: Dimensions,
  { width = '180px', ...accounts }: Pick<Choosing, 'options' | 'every' | 'isLoading'> & { width?: string },
): Field[] {
  const isCrowded = profitCenters !== undefined && locations !== undefined;
  const place = (chosen: Omit<Choosing, 'options' | 'width'>, options: Choice[] | undefined): Field[] =>
    options === undefined ? [] : [choiceColumn({ ...chosen, width: '116px', options })];
  return [
    choiceColumn({ id: 'accountId', header: 'Account', width: isCrowded ? '140px' : width, ...accounts }),
    ...place({ id: 'profitCenterId', header: 'Profit Center', isOptional: !required.useProfitCenters }, profitCenters),
    ...place({ id: 'locationId', header: 'Location', isOptional: !required.useLocations }, locations),
  ];
}
