/** Something to pick from a list. */
export interface Choice {
  id: number;
  label: string;
  /** Deactivated: it names what has it and is chosen no more. */
  isRetired?: boolean;
}

/** The words of a choice; empty for none. */
export function labelOf(options: readonly Choice[] | undefined, id: number | null): string {
  return options?.find((option) => option.id === id)?.label ?? '';
}

export { keeping } from '../../ui/fields/pickerOptions.ts';
