import { CheckField } from '../ui/fields/CheckField.tsx';
import { Picker } from '../ui/fields/Picker.tsx';
import { TextField } from '../ui/fields/TextField.tsx';
import type { EntityTabProps } from './entityForm.ts';
import { useScenarioOptions } from './queries.ts';

/** The number we have for them, and how their sales are taxed (decisions: customers may be exempt by permit). */
export function AccountTab({ form, onChange, fields }: EntityTabProps) {
  const scenarios = useScenarioOptions();
  return (
    <div className="ek-form">
      <div className="ek-c6">
        <TextField
          label="Account Number"
          value={form.accountNumber}
          onChange={(accountNumber) => onChange({ ...form, accountNumber })}
          error={fields['accountNumber']}
          maxLength={50}
        />
      </div>
      <div className="ek-c6">
        <Picker
          label="Sales Tax"
          options={scenarios}
          value={form.salesTaxScenarioId}
          onChange={(salesTaxScenarioId) => onChange({ ...form, salesTaxScenarioId })}
          error={fields['salesTaxScenarioId']}
          noneLabel="Company default"
          disabled={form.taxExempt}
        />
      </div>
      <div className="ek-c6">
        <CheckField
          label="Tax Exempt"
          hint="No sales tax on what is billed to them"
          value={form.taxExempt}
          onChange={(taxExempt) => onChange({ ...form, taxExempt })}
          error={fields['taxExempt']}
        />
      </div>
      <div className="ek-c6">
        <TextField
          label="Tax Permit Number"
          value={form.taxPermitNo}
          onChange={(taxPermitNo) => onChange({ ...form, taxPermitNo })}
          error={fields['taxPermitNo']}
          maxLength={50}
        />
      </div>
    </div>
  );
}
