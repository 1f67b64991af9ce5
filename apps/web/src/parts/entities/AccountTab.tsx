import { exemptReasons } from '@evenkeel/core/documents/salestax';
import { CUSTOMER } from '@evenkeel/core/entities';
import { useBooksSettings } from '../choices/booksSettings.ts';
import { CheckField } from '../../ui/fields/CheckField.tsx';
import { DateField } from '../../ui/fields/DateField.tsx';
import { Picker } from '../../ui/fields/Picker.tsx';
import { QuantityField } from '../../ui/fields/QuantityField.tsx';
import { TextField } from '../../ui/fields/TextField.tsx';
import type { EntityTabProps } from './entityForm.ts';
import { useScenarioOptions } from './kind.ts';
import { PlainFields } from './plainFields.tsx';

/** The account number, the payment terms, and the sales tax settings of a customer. */
export function AccountTab({ kind, form }: EntityTabProps) {
  const { bind } = form;
  const days = useBooksSettings().termsDays;
  return (
    <div className="ek-form">
      <PlainFields tab="account" form={form} />
      <QuantityField
        {...bind('termsDays')}
        label="Payment Terms (Days)"
        hint="Days from the invoice date to the due date"
        placeholder={`${days} (company default)`}
        places={0}
        span={6}
      />
      <QuantityField
        {...bind('discountPercent')}
        label="Discount (%)"
        max={100}
        hint="Early-payment discount, as a percentage of the total including tax"
        placeholder="None"
        places={3}
        span="half"
      />
      <QuantityField
        {...bind('discountDays')}
        label="Discount Days"
        hint="Days after the invoice date during which the discount is available"
        placeholder="None"
        places={0}
        span="half"
      />
      {kind.kind === CUSTOMER && <TaxFields form={form} />}
    </div>
  );
}

/** Only customers with a permit can be tax-exempt. */
function TaxFields({ form: { bind, values } }: Pick<EntityTabProps, 'form'>) {
  const tax = { options: useScenarioOptions(), noneLabel: 'Company default', disabled: values.taxExempt };
  return (
    <>
      <Picker {...bind('salesTaxScenarioId')} {...tax} label="Sales Tax" span={6} />
      <CheckField {...bind('taxExempt')} label="Tax Exempt" hint="Don't charge this customer sales tax" span={6} />
      <TextField {...bind('taxPermitNo')} label="Tax Permit Number" span={6} maxLength={50} />
      {values.taxExempt && (
        <>
          <Picker
            {...bind('exemptReason')}
            options={exemptReasons}
            noneLabel="None"
            label="Reason for Exemption"
            span={6}
          />
          <DateField
            {...bind('exemptUntil')}
            label="Certificate Valid Through"
            hint="Invoices dated after this date show a warning"
            span={6}
          />
        </>
      )}
    </>
  );
}
