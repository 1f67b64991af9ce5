/** A column in a file. */
export interface FileColumn {
  id: string;
  header: string;
  /** The first values, as they appear in the file. */
  samples: readonly string[];
  /** The first value with its meaning, if it is read as another value. For example, `64.12 becomes (64.12)` */
  becomes?: string;
}

/** A field that a column can fill. */
export interface FileField<Field extends string> {
  id: Field;
  label: string;
  isRequired?: boolean;
  /** Whether the column is right-aligned or takes the remaining width. */
  isAmount?: boolean;
  isText?: boolean;
}

/** Maps column IDs to the field that each one fills. A field has only one column. */
export type Mapping<Field extends string> = Readonly<Record<string, Field>>;

/**
 * Returns the mapping in which `column` fills `field`. If another column filled the field before, that column loses it.
 * Null skips the column.
 */
export function mapColumn<Field extends string>(
  mapping: Mapping<Field>,
  column: string,
  field: Field | null,
): Mapping<Field> {
  const kept = Object.entries(mapping).filter(([id, one]) => id !== column && one !== field);
  return Object.fromEntries(field === null ? kept : [...kept, [column, field]]);
}

/** Returns the required fields without a column. */
export function missingFields<Field extends string>(
  fields: readonly FileField<Field>[],
  mapping: Mapping<Field>,
): readonly FileField<Field>[] {
  const filled = new Set<Field>(Object.values(mapping));
  return fields.filter(({ id, isRequired }) => isRequired === true && !filled.has(id));
}
