import { ProductCategory } from '@evenkeel/contract/catalogue';
import * as z from 'zod';
import { LoadedModal, recordFooter, RecordModal } from '../../records/RecordModal.tsx';
import { useOne, useRemove, useSave } from '../../records/records.ts';
import { useRecordForm } from '../../records/useRecordForm.ts';
import { useMay } from '../../client/session.ts';
import { useAlerts } from '../../ui/alerts/Alerts.tsx';
import { TextField } from '../../ui/fields/TextField.tsx';
import { Status } from '../../ui/show/Status.tsx';
import { categories } from './products.ts';
import type { ProductModalProps } from './ProductModal.tsx';

const CategoryForm = z.object({ categoryName: z.string(), rowVersion: z.number().nullable() });
type CategoryForm = z.output<typeof CategoryForm>;

/** The Product Category modal; Save waits for a name. */
export function CategoryModal(props: ProductModalProps) {
  return (
    <LoadedModal id={props.id} read={useOne(categories, props.id)} title="Product Category" onClose={props.onClose}>
      {(category) => <LoadedCategory {...props} category={category} />}
    </LoadedModal>
  );
}

function LoadedCategory({ id, category, onClose }: ProductModalProps & { category: ProductCategory | undefined }) {
  const mayManage = useMay()('Manage Products');
  const alerts = useAlerts();
  const save = useSave(categories);
  const isGone = category?.active === false;
  const form = useRecordForm<ProductCategory, CategoryForm>({
    name: 'productcategory',
    id,
    saved: category,
    formOf: (saved) => ({ categoryName: saved?.categoryName ?? '', rowVersion: saved?.rowVersion ?? null }),
    schema: CategoryForm,
    check: ({ categoryName }): Record<string, string> =>
      categoryName.trim() === '' ? { categoryName: 'Please enter a name' } : {},
    reply: ProductCategory,
    send: (typed, { place }) => save(id, typed, place),
    remove: useRemove(categories),
    words: { saved: (one) => `${one.categoryName} saved` },
    onSaved: onClose,
    onRemoved: onClose,
    isReadOnly: !mayManage || isGone,
  });
  const restore = async () => {
    const back = await form.attempt(() => save(id, { ...form.values, active: true }));
    if (back !== undefined) alerts.success(`${back.categoryName} restored`);
  };
  const { primary, ...footer } = recordFooter(form, category && `Delete ${category.categoryName}?`);
  const isBlank = form.values.categoryName.trim() === '';
  const saving = { ...footer, primary: primary && { ...primary, disabled: isBlank } };
  const restoring = { primary: { label: 'Restore', onClick: () => void restore(), busy: form.busy } };
  return (
    <RecordModal
      form={form}
      onClose={onClose}
      title={category?.categoryName ?? 'Add Category'}
      beside={isGone && <Status look="void">Inactive</Status>}
      footer={!mayManage ? null : isGone ? restoring : saving}
    >
      <div className="ek-form">
        <TextField {...form.bind('categoryName')} label="Category" maxLength={100} autoFocus={!form.isReadOnly} />
      </div>
    </RecordModal>
  );
}
