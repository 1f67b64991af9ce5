import type { Choice } from '../../parts/choices/choice.ts';
import type { Dimensions } from '../../parts/choices/dimensions.ts';
import { MoneyField } from '../../ui/fields/MoneyField.tsx';
import { FieldError } from '../../ui/fields/field.tsx';
import { Picker } from '../../ui/fields/Picker.tsx';
import { TextField } from '../../ui/fields/TextField.tsx';
import type { FormLine, LineProblems } from './journalForm.ts';

export interface JournalLineFieldsProps {
  line: FormLine;
  problems: LineProblems;
  accounts: readonly Choice[];
  /** Whether the accounts are still loading. */
  isLoading: boolean;
  dimensions: Dimensions;
  onPatch: (patch: Partial<FormLine>) => void;
  onSide: (debit: boolean) => void;
  /** Closes a reopened line and shows a new line. */
  onNext: () => void;
}

/**
 * The fields of the current line. If another line is shown, use a different React `key`, so that the account field
 * takes the focus.
 */
export function JournalLineFields(props: JournalLineFieldsProps) {
  const { line, problems, onPatch, dimensions } = props;
  const extra = [dimensions.profitCenters, dimensions.locations].filter((each) => each !== undefined).length;
  return (
    <div className="ac-line" role="group" aria-label="Line">
      <div className="ac-line-top" data-extra={extra}>
        <Picker
          id="journal-account"
          label="GL Account"
          options={props.accounts}
          isLoading={props.isLoading}
          value={line.accountId}
          onChange={(accountId) => onPatch({ accountId })}
          error={problems.accountId}
          autoFocus
        />
        {placeFields(props).map(({ name, ...field }) => (
          <Picker key={name} id={`journal-${name}`} {...field} />
        ))}
        <TextField
          id="journal-description"
          label="Description"
          value={line.description}
          onChange={(description) => onPatch({ description })}
          error={problems.description}
          maxLength={500}
        />
      </div>
      <div className="ac-line-end">
        <div className="ac-line-amount">
          <MoneyField
            id="journal-amount"
            label="Amount"
            value={line.amount}
            onChange={(amount) => onPatch({ amount })}
            error={problems.amount}
          />
        </div>
        <SideButtons {...props} />
        <p className="ac-line-hint ek-muted ek-small">
          Select Debit or Credit to add the line and start the next one. The suggested amount balances the entry.
        </p>
      </div>
    </div>
  );
}

type PlacedLine = Pick<JournalLineFieldsProps, 'line' | 'problems' | 'dimensions' | 'onPatch'>;

/** Returns the profit center and location fields, if the company uses them. */
export function placeFields({ line, problems, dimensions, onPatch }: PlacedLine) {
  const { profitCenters, locations, required } = dimensions;
  const noneUnless = (isRequired: boolean) => (isRequired ? undefined : 'None');
  const centers = {
    name: 'profit-center',
    label: 'Profit Center',
    noneLabel: noneUnless(required.useProfitCenters),
    value: line.profitCenterId,
    onChange: (profitCenterId: number | null) => onPatch({ profitCenterId }),
    error: problems.profitCenterId,
  };
  const places = {
    name: 'location',
    label: 'Location',
    noneLabel: noneUnless(required.useLocations),
    value: line.locationId,
    onChange: (locationId: number | null) => onPatch({ locationId }),
    error: problems.locationId,
  };
  return [
    ...(profitCenters === undefined ? [] : [{ ...centers, options: profitCenters }]),
    ...(locations === undefined ? [] : [{ ...places, options: locations }]),
  ];
}

function SideButtons({ line, problems, onSide, onNext }: JournalLineFieldsProps) {
  return (
    <div className="ac-line-side">
      <div className="mantine-InputWrapper-label" id="journal-side">
        Debit/Credit
      </div>
      <div className="ac-line-sides">
        <div className="ac-sides" role="group" aria-labelledby="journal-side">
          <button type="button" aria-pressed={line.debit === true} onClick={() => onSide(true)}>
            Debit
          </button>
          <button type="button" aria-pressed={line.debit === false} onClick={() => onSide(false)}>
            Credit
          </button>
        </div>
        {line.debit !== null && (
          <button type="button" className="ek-link" onClick={onNext}>
            Next line
          </button>
        )}
      </div>
      {problems.debit !== undefined && (
        <div className="ac-problem">
          <FieldError message={problems.debit} />
        </div>
      )}
    </div>
  );
}
