import { PackageDeal, type PackageDealInput } from '@evenkeel/contract/catalogue';
import { MY_DISCOUNTS, NO_DISCOUNTS, SMART_DISCOUNT } from '@evenkeel/core/documents/packages';
import { AttachmentPane, AttachmentTabs } from '../../parts/attachments/AttachmentTabs.tsx';
import { isOurs, useAttachments } from '../../parts/attachments/useAttachments.ts';
import { usePickable } from '../../parts/choices/products.ts';
import { LoadedModal, RecordModal } from '../../records/RecordModal.tsx';
import { useOne } from '../../records/records.ts';
import { type KeptKind, type KeptModalProps, useKeptForm } from '../../records/useKeptForm.ts';
import { telling } from '../../records/useRecordForm.ts';
import { MoneyField } from '../../ui/fields/MoneyField.tsx';
import { TextField } from '../../ui/fields/TextField.tsx';
import { Choice } from '../../ui/show/Choice.tsx';
import { goodsOf, inMode, PackageForm, packageFaults, packageFormOf, packageInput } from './packageForm.ts';
import { PackageLines } from './PackageLines.tsx';
import { packages } from './products.ts';

const PACKAGE: Omit<KeptKind<PackageDeal, PackageForm, PackageDealInput>, 'check'> = {
  label: 'Package Deal',
  draft: 'package',
  of: packages,
  manager: 'Manage Products',
  nameOf: (one) => one.name,
  reply: PackageDeal,
  schema: PackageForm,
  formOf: packageFormOf,
  bodyOf: packageInput,
  restoring: { deleted: false },
};

/** The Package Deal modal. */
export function PackageModal(props: KeptModalProps) {
  return (
    <LoadedModal id={props.id} read={useOne(packages, props.id)} title={PACKAGE.label} onClose={props.onClose}>
      {(saved) => <LoadedPackage {...props} saved={saved} />}
    </LoadedModal>
  );
}

const MODES = [
  { value: String(NO_DISCOUNTS), label: 'None' },
  { value: String(MY_DISCOUNTS), label: 'My Discounts' },
  { value: String(SMART_DISCOUNT), label: 'Smart Discount' },
];

const SHOWN = ['name', 'description', 'goalPrice'];

function LoadedPackage(props: KeptModalProps & { saved: PackageDeal | undefined }) {
  const offered = usePickable();
  const goods = goodsOf(offered.items, props.saved?.packageLineItems);
  const files = useAttachments();
  const kind = { ...PACKAGE, check: (typed: PackageForm) => packageFaults(typed, goods) };
  const { form, modal } = useKeptForm(kind, props, { before: files.before, onFaults: files.onFaults });
  const { bind, isReadOnly, values } = form;
  // Messages about a file appear on its tab.
  const shown = [...SHOWN, ...Object.keys(form.fields).filter(isOurs)];
  return (
    <RecordModal
      {...modal}
      form={telling(form, shown)}
      size="lg"
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
