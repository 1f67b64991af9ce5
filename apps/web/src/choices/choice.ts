/** Something to pick from a list. */
export interface Choice {
  id: number;
  label: string;
}

/** The words of a choice; empty for none. */
export function labelOf(options: readonly Choice[] | undefined, id: number | null): string {
  return options?.find((option) => option.id === id)?.label ?? '';
}

/** The options, and first the one that is chosen though it is offered no more: what was saved keeps its words. */
export function keeping<Option extends Choice>(options: readonly Option[], current: Option | undefined): Option[] {
  const isMissing = current !== undefined && !options.some((option) => option.id === current.id);
  return isMissing ? [current, ...options] : [...options];
}
