import { PackageDeal } from '@evenkeel/contract/catalogue';
import { MY_DISCOUNTS, NO_DISCOUNTS, SMART_DISCOUNT } from '@evenkeel/core/packages';
import { AttachmentPane, AttachmentTabs } from '../../parts/attachments/AttachmentTabs.tsx';
import { isOurs, useAttachments } from '../../parts/attachments/useAttachments.ts';
import { usePickable } from '../../parts/choices/products.ts';
import { LoadedModal, recordFooter, RecordModal } from '../../records/RecordModal.tsx';
import { useOne, useRemove, useSave } from '../../records/records.ts';
import { telling, useRecordForm } from '../../records/useRecordForm.ts';
import { useMay } from '../../client/session.ts';
import { useAlerts } from '../../ui/alerts/Alerts.tsx';
import { MoneyField } from '../../ui/fields/MoneyField.tsx';
import { TextField } from '../../ui/fields/TextField.tsx';
import { Choice } from '../../ui/show/Choice.tsx';
import { Status } from '../../ui/show/Status.tsx';
import { goodsOf, inMode, PackageForm, packageFaults, packageFormOf, packageInput } from './packageForm.ts';
import { PackageLines } from './PackageLines.tsx';
import { packages } from './products.ts';
import type { ProductModalProps } from './ProductModal.tsx';

/** The Package Deal modal. */
export function PackageModal(props: ProductModalProps) {
  return (
    <LoadedModal id={props.id} read={useOne(packages, props.id)} title="Package Deal" onClose={props.onClose}>
      {(deal) => <LoadedPackage {...props} deal={deal} />}
    </LoadedModal>
  );
}

const MODES = [
  { value: String(NO_DISCOUNTS), label: 'None' },
  { value: String(MY_DISCOUNTS), label: 'My Discounts' },
  { value: String(SMART_DISCOUNT), label: 'Smart Discount' },
];

const SHOWN = ['name', 'description', 'goalPrice'];

function LoadedPackage({ id, deal, onClose }: ProductModalProps & { deal: PackageDeal | undefined }) {
  const mayManage = useMay()('Manage Products');
  const alerts = useAlerts();
  const offered = usePickable();
  const goods = goodsOf(offered.items, deal?.packageLineItems);
  const save = useSave(packages);
  const isGone = deal?.deleted === true;
  const files = useAttachments();
  const form = useRecordForm<PackageDeal, PackageForm>({
    name: 'package',
    id,
    saved: deal,
    formOf: packageFormOf,
    schema: PackageForm,
    check: (typed) => packageFaults(typed, goods),
    reply: PackageDeal,
    send: (typed, { place }) => save(id, packageInput(typed), place),
    before: files.before,
    onFaults: files.onFaults,
    remove: useRemove(packages),
    words: { saved: (one) => `${one.name} saved` },
    onSaved: onClose,
    onRemoved: onClose,
    isReadOnly: !mayManage || isGone,
  });
  const restore = async () => {
    const back = await form.attempt(() => save(id, { deleted: false, rowVersion: deal?.rowVersion }));
    if (back !== undefined) alerts.success(`${back.name} restored`);
  };
  const restoring = { primary: { label: 'Restore', onClick: () => void restore(), busy: form.busy } };
  const { bind, isReadOnly, values } = form;
  // Messages about a file stand on its tab.
  const shown = [...SHOWN, ...Object.keys(form.fields).filter(isOurs)];
  return (
    <RecordModal
      form={telling(form, shown)}
      onClose={onClose}
      title={deal?.name ?? 'Add Package Deal'}
      beside={isGone && <Status look="void">Inactive</Status>}
      size="lg"
      footer={!mayManage ? null : isGone ? restoring : recordFooter(form, deal && `Delete ${deal.name}?`)}
      head={<AttachmentTabs main="Info" form={form} files={files} />}
    >
      <AttachmentPane form={form} files={files}>
        <div className="ek-form">
          <TextField {...bind('name')} label="Name" span={6} maxLength={200} autoFocus={!isReadOnly} />
          <div className="ek-c6">
            <Choice
              label="Discount"
              options={MODES}
              value={String(values.packageDealDiscountType)}
              onChange={(mode) => form.onChange(inMode(values, Number(mode)))}
              disabled={isReadOnly}
            />
          </div>
          <TextField {...bind('description')} label="Description" kind="lines" maxLength={2000} />
          {values.packageDealDiscountType === SMART_DISCOUNT && (
            <MoneyField {...bind('goalPrice')} label="Goal Price" span={3} />
          )}
        </div>
        <PackageLines form={form} goods={goods} isLoading={offered.isLoadingItems} />
      </AttachmentPane>
    </RecordModal>
  );
}
