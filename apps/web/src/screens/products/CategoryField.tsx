import { catalogueCalls } from '@evenkeel/contract/catalogue';
import { Button } from '@mantine/core';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { ask, useSendOne, useStale } from '../../client/api.ts';
import { useFormSave } from '../../records/formSave.ts';
import { Picker } from '../../ui/fields/Picker.tsx';
import { TextField } from '../../ui/fields/TextField.tsx';
import { isKey } from '../../ui/keys/keys.ts';
import type { RecordForm } from '../../records/useRecordForm.ts';
import type { ProductForm } from './productForm.ts';
import type { ProductChoices } from './products.ts';

export interface ProductFieldsProps {
  form: RecordForm<ProductForm>;
  choices: ProductChoices;
  /** Whether a new category is being entered. The other fields are then disabled. */
  isAddingCategory: boolean;
  setAddingCategory: (adding: boolean) => void;
}

/** The category picker. While open, the box for a new category replaces the picker. */
export function CategoryField({ form, choices, isAddingCategory, setAddingCategory }: ProductFieldsProps) {
  const [typed, setTyped] = useState('');
  useFocusBack(isAddingCategory);
  const open = (name: string) => {
    setTyped(name);
    setAddingCategory(true);
  };
  if (isAddingCategory) {
    const created = (productCategoryID: number) => {
      form.patch({ productCategoryID });
      setAddingCategory(false);
    };
    return <NewCategory initial={typed} onCancel={() => setAddingCategory(false)} onCreated={created} />;
  }
  const onCreate = form.isReadOnly ? undefined : open;
  return (
    <div className="ek-c6 pr-category" id="product-category">
      <Picker
        {...form.bind('productCategoryID')}
        label="Category"
        options={choices.categories}
        isLoading={choices.isLoadingCategories}
        onCreate={onCreate}
      />
      {!form.isReadOnly && (
        <Button variant="default" onClick={() => open('')}>
          Add Category
        </Button>
      )}
    </div>
  );
}

/** Returns the focus to the picker when the box closes, so that the dialog's keyboard shortcuts keep working. */
function useFocusBack(isAdding: boolean): void {
  const wasAdding = useRef(false);
  useEffect(() => {
    const isLost = wasAdding.current && !isAdding && document.activeElement === document.body;
    wasAdding.current = isAdding;
    if (isLost) document.querySelector<HTMLElement>('#product-category input')?.focus();
  }, [isAdding]);
}

interface NewCategoryProps {
  initial: string;
  onCancel: () => void;
  onCreated: (id: number) => void;
}

/** The box for a new category. Save requires a name. A duplicate name is reported below the field. */
function NewCategory({ initial, onCancel, onCreated }: NewCategoryProps) {
  const [name, setName] = useState(initial);
  const stale = useStale();
  const sendOne = useSendOne();
  const save = useFormSave({});
  const isBlank = name.trim() === '';
  const send = async () => {
    const body = { categoryID: 0, categoryName: name.trim() };
    const saved = await save.attempt(() => sendOne(ask(catalogueCalls.createCategory, { body })));
    if (saved === undefined) return;
    stale();
    onCreated(saved.productCategoryID);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (!isKey(event, 'close') && !isKey(event, 'open')) return;
    event.preventDefault();
    event.stopPropagation();
    if (isKey(event, 'close')) onCancel();
    else if (!isBlank && !save.busy) void send();
  };
  return (
    <div className="ek-c6 pr-category" id="product-category">
      <div role="presentation" onKeyDown={onKeyDown}>
        <TextField
          label="New Category"
          value={name}
          onChange={(next) => {
            save.touched();
            setName(next);
          }}
          error={save.fields['categoryName'] ?? save.problems[0]}
          maxLength={100}
          autoFocus
        />
      </div>
      <Button disabled={isBlank} loading={save.busy} onClick={() => void send()}>
        Save
      </Button>
      <Button variant="subtle" onClick={onCancel}>
        Cancel
      </Button>
    </div>
  );
}
