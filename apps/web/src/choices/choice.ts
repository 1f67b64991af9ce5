/** Something to pick from a list. */
export interface Choice {
  id: number;
  label: string;
}

/** The words of a choice; empty for none. */
export function labelOf(options: readonly Choice[] | undefined, id: number | null): string {
  return options?.find((option) => option.id === id)?.label ?? '';
}

export { keeping } from '../ui/fields/pickerOptions.ts';
