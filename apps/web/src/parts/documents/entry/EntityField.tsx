import { capital } from '@evenkeel/core/documents/side';
import { useState } from 'react';
import type { Choice } from '../../choices/choice.ts';
import { useEntityOptions } from '../../choices/entities.ts';
import type { Bound } from '../../../records/useRecordForm.ts';
import { useMay } from '../../../client/session.ts';
import { Picker } from '../../../ui/fields/Picker.tsx';
import { NewEntity } from './NewEntity.tsx';
import type { DocumentSide } from '../side.ts';

export interface EntityFieldProps {
  side: DocumentSide;
  field: Bound<number | null>;
  /** The saved customer or vendor. */
  current: { id: number; name: string } | undefined;
  hint?: string | undefined;
}

/** The Customer or Vendor field. The user can also add a new customer or vendor here. */
export function EntityField({ side, field, current, hint }: EntityFieldProps) {
  const mayAdd = useMay()(side.entities.manage);
  const [adding, setAdding] = useState<string>();
  const [added, setAdded] = useState<Choice>();
  const known = added ?? (current && { id: current.id, label: current.name });
  const choices = useEntityOptions(side.entities, field.value, known?.id === field.value ? known : undefined);
  return (
    <>
      <Picker
        {...field}
        {...choices}
        label={capital(side.core.words.entity)}
        hint={hint}
        span={4}
        autoFocus={field.value === null}
        onCreate={mayAdd ? setAdding : undefined}
      />
      {adding !== undefined && (
        <NewEntity
          entities={side.entities}
          name={adding}
          onClose={() => setAdding(undefined)}
          onCreated={({ id, displayname }) => {
            setAdding(undefined);
            setAdded({ id, label: displayname });
            field.onChange(id);
          }}
        />
      )}
    </>
  );
}
