import { Product } from '@evenkeel/contract/catalogue';
import { useState } from 'react';
import { AttachmentPane, AttachmentTabs } from '../../parts/attachments/AttachmentTabs.tsx';
import { useAttachments } from '../../parts/attachments/useAttachments.ts';
import { recordFooter, LoadedModal, RecordModal } from '../../records/RecordModal.tsx';
import { useOne, useRemove, useSave } from '../../records/records.ts';
import { useRecordForm } from '../../records/useRecordForm.ts';
import { useMay } from '../../client/session.ts';
import { useAlerts } from '../../ui/alerts/Alerts.tsx';
import { Status } from '../../ui/show/Status.tsx';
import { WalkthroughButton } from '../../ui/tour/Walkthrough.tsx';
import { ProductFields } from './ProductFields.tsx';
import { ProductForm, productFaults, productFormOf, productInput } from './productForm.ts';
import { PRODUCT_TOUR } from './productTour.ts';
import { products, useProductChoices } from './products.ts';

export interface ProductModalProps {
  /** 0 is a new one. */
  id: number;
  onClose: () => void;
}

/** The Product modal. */
export function ProductModal(props: ProductModalProps) {
  return (
    <LoadedModal id={props.id} read={useOne(products, props.id)} title="Product / Service" onClose={props.onClose}>
      {(product) => <LoadedProduct {...props} product={product} />}
    </LoadedModal>
  );
}

function LoadedProduct({ id, product, onClose }: ProductModalProps & { product: Product | undefined }) {
  const mayManage = useMay()('Manage Products');
  const [isAddingCategory, setAddingCategory] = useState(false);
  const choices = useProductChoices(product);
  const alerts = useAlerts();
  const save = useSave(products);
  const remove = useRemove(products);
  const isGone = product?.deleted === true;
  const files = useAttachments();
  const form = useRecordForm<Product, ProductForm>({
    name: 'product',
    id,
    saved: product,
    formOf: productFormOf,
    schema: ProductForm,
    check: productFaults,
    reply: Product,
    send: (typed, { place }) => save(id, productInput(typed), place),
    before: files.before,
    onFaults: files.onFaults,
    remove,
    words: { saved: (one) => `${one.name} saved` },
    onSaved: onClose,
    onRemoved: onClose,
    isReadOnly: !mayManage || isGone,
  });
  const restore = async () => {
    const back = await form.attempt(() => save(id, { deleted: false, rowVersion: product?.rowVersion }));
    if (back !== undefined) alerts.success(`${back.name} restored`);
  };
  const { primary, ...footer } = recordFooter(form, product && `Delete ${product.name}?`);
  const saving = { ...footer, primary: primary && { ...primary, disabled: isAddingCategory } };
  const restoring = { primary: { label: 'Restore', onClick: () => void restore(), busy: form.busy } };
  return (
    <RecordModal
      form={form}
      onClose={onClose}
      title={product?.name ?? 'Add Product / Service'}
      beside={isGone && <Status look="void">Inactive</Status>}
      tools={form.isReadOnly ? undefined : <WalkthroughButton steps={PRODUCT_TOUR} />}
      size="lg"
      footer={!mayManage ? null : isGone ? restoring : saving}
      head={<AttachmentTabs main="Info" form={form} files={files} />}
    >
      <AttachmentPane form={form} files={files}>
        <ProductFields {...{ form, choices, isAddingCategory, setAddingCategory }} />
      </AttachmentPane>
    </RecordModal>
  );
}
