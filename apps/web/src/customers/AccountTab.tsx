import { useBooksSettings } from '../choices/booksSettings.ts';
import { CheckField } from '../ui/fields/CheckField.tsx';
import { Picker } from '../ui/fields/Picker.tsx';
import { QuantityField } from '../ui/fields/QuantityField.tsx';
import { TextField } from '../ui/fields/TextField.tsx';
import { useScenarioOptions } from './customers.ts';
import type { EntityTabProps } from './entityForm.ts';

/** The number we have for them, and how their sales are taxed (decisions: customers may be exempt by permit). */
export function AccountTab({ form: { bind, values } }: EntityTabProps) {
  const tax = { options: useScenarioOptions(), noneLabel: 'Company default', disabled: values.taxExempt };
  return (
    <div className="ek-form">
      <TextField {...bind('accountNumber')} label="Account Number" span={6} maxLength={50} />
      <Picker {...bind('salesTaxScenarioId')} {...tax} label="Sales Tax" span={6} />
      <QuantityField
        {...bind('termsDays')}
        label="Payment Terms (Days)"
        hint="Until an invoice is due"
        placeholder={`${useBooksSettings().termsDays}, as the company`}
        places={0}
        span={6}
      />
      <CheckField {...bind('taxExempt')} label="Tax Exempt" hint="No sales tax on what is billed to them" span={6} />
      <TextField {...bind('taxPermitNo')} label="Tax Permit Number" span={6} maxLength={50} />
    </div>
  );
}
