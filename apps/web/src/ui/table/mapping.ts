/** A column of a file. */
export interface FileColumn {
  id: string;
  header: string;
  /** Its first values, as they are written. */
  samples: readonly string[];
}

/** A field that a column can fill. */
export interface FileField<Field extends string> {
  id: Field;
  label: string;
  isRequired?: boolean;
}

/** Ids of columns → the field that each fills. A field has one column. */
export type Mapping<Field extends string> = Readonly<Record<string, Field>>;

/** The mapping with `field` filled by `column`; a column that filled it before gives it up. Null: not imported. */
export function mapColumn<Field extends string>(
  mapping: Mapping<Field>,
  column: string,
  field: Field | null,
): Mapping<Field> {
  const kept = Object.entries(mapping).filter(([id, one]) => id !== column && one !== field);
  return Object.fromEntries(field === null ? kept : [...kept, [column, field]]);
}

/** The required fields that no column fills. */
export function missingFields<Field extends string>(
  fields: readonly FileField<Field>[],
  mapping: Mapping<Field>,
): readonly FileField<Field>[] {
  const filled = new Set<Field>(Object.values(mapping));
  return fields.filter(({ id, isRequired }) => isRequired === true && !filled.has(id));
}
