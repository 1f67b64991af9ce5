import { Product } from '@evenkeel/contract/catalogue';
import { decode } from '@evenkeel/contract/wire';
import { useState } from 'react';
import { useFormSave } from '../records/formSave.ts';
import { useMay } from '../session.ts';
import { StaleChoice } from '../records/StaleChoice.tsx';
import { useAlerts } from '../ui/alerts/Alerts.tsx';
import { useDraft } from '../ui/hooks/draft.ts';
import { AppModal } from '../ui/overlay/AppModal.tsx';
import type { FooterBarProps } from '../ui/overlay/FooterBar.tsx';
import { ErrorState } from '../ui/show/EmptyState.tsx';
import { FormErrorSummary } from '../ui/show/FormErrorSummary.tsx';
import { Status } from '../ui/show/Status.tsx';
import { WalkthroughButton } from '../ui/tour/Walkthrough.tsx';
import { ProductFields } from './ProductFields.tsx';
import {
  blankProduct,
  type ProductForm,
  productFaults,
  productFormOf,
  productInput,
  readProductDraft,
} from './productForm.ts';
import { PRODUCT_TOUR } from './productTour.ts';
import { useDeleteProduct, useProduct, useProductChoices, useSaveProduct } from './queries.ts';

export interface ProductModalProps {
  /** 0 is a new one. */
  id: number;
  onClose: () => void;
}

/** The Product modal: loads the record, then its form (Specification part 2 §2, §4). */
export function ProductModal({ id, onClose }: ProductModalProps) {
  const { product, error, retry } = useProduct(id);
  if (id === 0 || product !== undefined) {
    return <LoadedModal id={id} product={id === 0 ? undefined : product} onClose={onClose} />;
  }
  return (
    <AppModal opened onClose={onClose} title="Product / Service">
      {error === undefined ? <p role="status">Loading...</p> : <ErrorState message={error} onRetry={retry} />}
    </AppModal>
  );
}

interface LoadedProps extends ProductModalProps {
  /** Undefined for a new one. */
  product: Product | undefined;
}

function LoadedModal(props: LoadedProps) {
  const { product, onClose } = props;
  const mayManage = useMay()('Manage Products');
  const work = useProductWork(props);
  const [isAddingCategory, setAddingCategory] = useState(false);
  const choices = useProductChoices(product);
  const { draft, save } = work;
  const isReadOnly = !mayManage || product?.deleted === true;
  const footer = useProductFooter(props, work);
  const primary = footer.primary === undefined ? {} : { primary: { ...footer.primary, disabled: isAddingCategory } };
  return (
    <AppModal
      opened
      onClose={onClose}
      title={product?.name ?? 'Add Product / Service'}
      beside={product?.deleted === true && <Status look="void">Inactive</Status>}
      tools={isReadOnly ? undefined : <WalkthroughButton steps={PRODUCT_TOUR} />}
      size="lg"
      dirty={draft.dirty}
      onDiscard={() => draft.clear()}
      footer={mayManage ? { ...footer, ...primary } : undefined}
    >
      <div className="ek-stack">
        <FormErrorSummary problems={save.problems.map((message) => ({ message }))} />
        {save.current !== undefined && <StaleChoice onTheirs={work.takeTheirs} onMine={work.keepMine} />}
        <ProductFields
          form={draft.value}
          onChange={work.change}
          fields={save.fields}
          choices={choices}
          isReadOnly={isReadOnly}
          isAddingCategory={isAddingCategory}
          setAddingCategory={setAddingCategory}
        />
      </div>
    </AppModal>
  );
}

/** The form, kept on this device while it is worked on, and its way to the server. */
function useProductWork({ id, product, onClose }: LoadedProps) {
  const draft = useDraft<ProductForm>({
    name: `product:${id}`,
    initial: product === undefined ? blankProduct() : productFormOf(product),
    read: readProductDraft,
  });
  const save = useFormSave(productFaults(draft.value));
  const sendProduct = useSaveProduct();
  const alerts = useAlerts();
  const send = async (form: ProductForm) => {
    const saved = await save.attempt(() => sendProduct(productInput(id, form)));
    if (saved === undefined) return;
    draft.clear();
    alerts.success(`${saved.name} saved`);
    onClose();
  };
  const theirs = () => decode(Product, save.current);
  return {
    draft,
    save,
    send,
    change: (form: ProductForm) => {
      save.touched();
      draft.set(form);
    },
    takeTheirs: () => {
      draft.clear(productFormOf(theirs()));
      save.forget();
    },
    keepMine: () => {
      const mine = { ...draft.value, rowVersion: theirs().rowVersion };
      draft.set(mine);
      void send(mine);
    },
  };
}

function useProductFooter(props: LoadedProps, work: ReturnType<typeof useProductWork>): FooterBarProps {
  const { id, product, onClose } = props;
  const { draft, save, send } = work;
  const remove = useDeleteProduct();
  const restore = useSaveProduct();
  const alerts = useAlerts();
  if (product?.deleted === true) {
    const run = async () => {
      const { rowVersion } = product;
      const saved = await save.attempt(() => restore({ productID: id, deleted: false, rowVersion }));
      if (saved !== undefined) alerts.success(`${saved.name} restored`);
    };
    return { primary: { label: 'Restore', onClick: () => void run(), busy: save.busy } };
  }
  const confirmed = async () => {
    if ((await save.attempt(() => remove(id))) !== true) return;
    draft.clear();
    onClose();
  };
  return {
    primary: { label: 'Save', onClick: () => void send(draft.value), busy: save.busy },
    ...(product === undefined
      ? {}
      : { remove: { question: `Delete ${product.name}?`, onConfirm: () => void confirmed(), busy: save.busy } }),
  };
}
