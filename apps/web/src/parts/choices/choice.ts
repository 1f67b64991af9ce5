/** An option in a list. */
export interface Choice {
  id: number;
  label: string;
  /**
   * Whether the option is inactive. Records that already use an inactive option still show the option, but users can't
   * select it.
   */
  isRetired?: boolean;
}

/** Returns the label of an option, or an empty string if none is selected. */
export function labelOf(options: readonly Choice[] | undefined, id: number | null): string {
  return options?.find((option) => option.id === id)?.label ?? '';
}

export { keeping } from '../../ui/fields/pickerOptions.ts';
