import { Product, type ProductInput } from '@evenkeel/contract/catalogue';
import { useState } from 'react';
import { AttachmentPane, AttachmentTabs } from '../../parts/attachments/AttachmentTabs.tsx';
import { useWithDimensions } from '../../parts/choices/dimensions.ts';
import { useAttachments } from '../../parts/attachments/useAttachments.ts';
import { LoadedModal, RecordModal } from '../../records/RecordModal.tsx';
import { useOne } from '../../records/records.ts';
import { type KeptKind, type KeptModalProps, useKeptForm } from '../../records/useKeptForm.ts';
import { WalkthroughButton } from '../../ui/tour/Walkthrough.tsx';
import { ProductFields } from './ProductFields.tsx';
import { ProductForm, productFaults, productFormOf, productInput } from './productForm.ts';
import { PRODUCT_TOUR } from './productTour.ts';
import { products, useProductChoices } from './products.ts';

const PRODUCT: KeptKind<Product, ProductForm, ProductInput> = {
  label: 'Product / Service',
  draft: 'product',
  of: products,
  manager: 'Manage Products',
  nameOf: (one) => one.name,
  reply: Product,
  schema: ProductForm,
  formOf: productFormOf,
  check: productFaults,
  bodyOf: productInput,
  restoring: { deleted: false },
};

/** The Product modal. */
export function ProductModal(props: KeptModalProps) {
  return (
    <LoadedModal
      {...useWithDimensions(props.id, useOne(products, props.id))}
      title={PRODUCT.label}
      onClose={props.onClose}
    >
      {(saved) => <LoadedProduct {...props} saved={saved} />}
    </LoadedModal>
  );
}

function LoadedProduct(props: KeptModalProps & { saved: Product | undefined }) {
  const [isAddingCategory, setAddingCategory] = useState(false);
  const choices = useProductChoices(props.saved);
  const files = useAttachments();
  const { form, modal } = useKeptForm(PRODUCT, props, { before: files.before, onFaults: files.onFaults });
  return (
    <RecordModal
      {...modal}
      canSave={!isAddingCategory}
      tools={form.isReadOnly ? undefined : <WalkthroughButton steps={PRODUCT_TOUR} />}
      size="lg"
      head={<AttachmentTabs main="Info" form={form} files={files} />}
    >
      <AttachmentPane form={form} files={files}>
        <ProductFields {...{ form, choices, isAddingCategory, setAddingCategory }} />
      </AttachmentPane>
    </RecordModal>
  );
}
