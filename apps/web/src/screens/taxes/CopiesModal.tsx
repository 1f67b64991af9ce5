import type { FormYear } from '@evenkeel/contract/forms1099';
import { formName } from '@evenkeel/core/taxes/forms1099';
import { useManages } from '../../records/active.tsx';
import { AppModal } from '../../ui/overlay/AppModal.tsx';
import { counted } from '../../ui/show/words.ts';
import { MiniTable } from '../../ui/table/MiniTable.tsx';
import { canAsk, canSend, consentWords, copyWords, type Delivery, MOST_COPIES } from './delivery.ts';
import { type FormRow, keyOf } from './forms1099.ts';

export interface CopiesModalProps {
  of: FormYear;
  delivery: Delivery;
  onClose: () => void;
}

/** The vendors who consented to electronic copies, and the copies that were sent and opened. */
export function CopiesModal({ of, delivery, onClose }: CopiesModalProps) {
  const manages = useManages('Manage Accounting');
  const rows = of.rows.filter(({ status }) => status !== 'below' && status !== 'noBox');
  // A vendor with two forms is asked only once, and a vendor who withdrew is asked only in the panel.
  const asked = new Map(
    rows.filter((row) => canAsk(row) && row.consent.state === 'none').map((row) => [row.vendorId, row]),
  );
  const toAsk = [...asked.values()].slice(0, MOST_COPIES);
  const toSend = rows.filter((row) => row.copy === null && canSend(row, of.year, delivery.today)).slice(0, MOST_COPIES);
  const ask = {
    label: `Request Consent from ${counted(toAsk.length, { one: 'Vendor', many: 'Vendors' })}`,
    onClick: () => delivery.request(toAsk),
    busy: delivery.isBusy,
  };
  const send = {
    label: `Send ${counted(toSend.length, { one: 'Copy', many: 'Copies' })}`,
    onClick: () => delivery.send(toSend),
    busy: delivery.isBusy,
  };
  const [primary, ...actions] = [...(toSend.length > 0 ? [send] : []), ...(toAsk.length > 0 ? [ask] : [])];
  return (
    <AppModal
      opened
      onClose={onClose}
      title={`Recipient Copies ${of.year}`}
      footer={manages && primary !== undefined ? { primary, actions } : undefined}
    >
      <p className="ek-second tx-intro">
        Vendors who consent get their copies (Copy B) on a private page. Print and mail the copies of all other vendors.
      </p>
      <MiniTable<FormRow>
        label="Recipient copies"
        rows={rows}
        keyOf={keyOf}
        columns={[
          {
            header: 'Vendor',
            render: ({ vendorName, form }) => (
              <>
                {vendorName}
                <span className="ek-second ek-small tx-note">1099-{formName(form)}</span>
              </>
            ),
          },
          { header: 'Consent', render: consentWords },
          { header: 'Copy', render: copyWords },
        ]}
      />
      {rows.length === 0 && <p className="ek-second">No forms are due for payments in {of.year}.</p>}
    </AppModal>
  );
}
