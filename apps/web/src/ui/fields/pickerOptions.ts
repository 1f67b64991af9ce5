export interface PickerOption<Id extends string | number> {
  id: Id;
  label: string;
  /** Options are gathered under heads in the order of their first option. */
  group?: string | undefined;
  /** Quiet, at the right, e.g. a price. */
  aside?: string | undefined;
}

export interface PickerGroup<Id extends string | number> {
  label: string | undefined;
  options: PickerOption<Id>[];
}

/** More options than this are not drawn; the list then asks for more letters. */
export const PICKER_MAX = 60;

/** Options of which the label has every typed word, those that begin with the text first. */
export function matchingOptions<Id extends string | number>(
  options: readonly PickerOption<Id>[],
  text: string,
): readonly PickerOption<Id>[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === '') return options;
  const words = wanted.split(/\s+/);
  const hits = options.filter((option) => {
    const label = option.label.toLowerCase();
    return words.every((word) => label.includes(word));
  });
  const begins = (option: PickerOption<Id>) => option.label.toLowerCase().startsWith(wanted);
  return [...hits.filter(begins), ...hits.filter((option) => !begins(option))];
}

export function groupOptions<Id extends string | number>(options: readonly PickerOption<Id>[]): PickerGroup<Id>[] {
  const groups: PickerGroup<Id>[] = [];
  for (const option of options) {
    const group = groups.find((one) => one.label === option.group);
    if (group === undefined) groups.push({ label: option.group, options: [option] });
    else group.options.push(option);
  }
  return groups;
}
