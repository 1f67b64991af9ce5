import type { IsoDate } from '@evenkeel/core/dates';
import type { RecordForm } from '../../records/useRecordForm.ts';
import { CheckField } from '../../ui/fields/CheckField.tsx';
import { DateField } from '../../ui/fields/DateField.tsx';

interface Dated {
  startDate: IsoDate | null;
  startDateInUse: boolean;
  endDate: IsoDate | null;
  endDateInUse: boolean;
}

/** The start and end dates of the period when an item is offered. Each date can be turned on or off. */
export function OfferDates({ form }: { form: Pick<RecordForm<Dated>, 'values' | 'patch' | 'errorOf' | 'isReadOnly'> }) {
  const { values, patch, errorOf, isReadOnly: readOnly } = form;
  return (
    <>
      <div className="ek-c6 pr-offer">
        <CheckField
          label="Use a start date"
          value={values.startDateInUse}
          onChange={(startDateInUse) => patch({ startDateInUse })}
          readOnly={readOnly}
        />
        <DateField
          label="Start Date"
          value={values.startDate}
          onChange={(startDate) => patch({ startDate })}
          error={errorOf('startDate')}
          disabled={!values.startDateInUse}
          readOnly={readOnly}
        />
      </div>
      <div className="ek-c6 pr-offer">
        <CheckField
          label="Use an end date"
          value={values.endDateInUse}
          onChange={(endDateInUse) => patch({ endDateInUse })}
          readOnly={readOnly}
        />
        <DateField
          label="End Date"
          value={values.endDate}
          onChange={(endDate) => patch({ endDate })}
          error={errorOf('endDate')}
          disabled={!values.endDateInUse}
          readOnly={readOnly}
        />
      </div>
    </>
  );
}
