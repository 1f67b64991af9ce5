import { parseDate } from '@evenkeel/core/dates';
import { CheckField } from '../../ui/fields/CheckField.tsx';
import { DateField } from '../../ui/fields/DateField.tsx';
import { TextField } from '../../ui/fields/TextField.tsx';
import { EmptyState } from '../../ui/show/EmptyState.tsx';
import type { PropertyDefinition } from './entityInput.ts';
import type { EntityTabProps } from './entityForm.ts';
import { usePropertyDefinitions } from './kind.ts';

/** The company's custom fields for the record type: date (1), text (2), and yes/no (4). */
export function InfoTab({ kind, form }: EntityTabProps) {
  const { properties } = form.values;
  const definitions = usePropertyDefinitions(kind.kind);
  if (definitions.length === 0) {
    return <EmptyState title="No information yet" hint="You can add custom fields in Settings." />;
  }
  return (
    <div className="ek-form">
      {definitions.map((definition) => (
        <div key={definition.id} className="ek-c6">
          <PropertyField
            definition={definition}
            value={properties[String(definition.id)] ?? ''}
            onChange={(value) => form.patch({ properties: { ...properties, [String(definition.id)]: value } })}
            error={form.errorOf(`extendedProperties.#${definition.id}`)}
          />
        </div>
      ))}
    </div>
  );
}

interface PropertyFieldProps {
  definition: PropertyDefinition;
  value: string;
  onChange: (value: string) => void;
  error: string | undefined;
}

function PropertyField({ definition, value, onChange, error }: PropertyFieldProps) {
  const shared = { label: definition.displayName, error };
  switch (definition.dataType) {
    case 1:
      return <DateField {...shared} value={parseDate(value) ?? null} onChange={(date) => onChange(date ?? '')} />;
    case 4:
      return <CheckField {...shared} value={value === 'true'} onChange={(yes) => onChange(String(yes))} />;
    default:
      return <TextField {...shared} value={value} onChange={onChange} maxLength={1000} />;
  }
}
