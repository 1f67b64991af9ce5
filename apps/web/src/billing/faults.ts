import type { FieldMessages } from '@evenkeel/core/failure';

/** Messages of a form with the values that they are about: a message is gone once its field has changed. */
export interface Faults<Form> {
  messages: FieldMessages;
  /** The form as it was tried. */
  about: Form;
}

/** The messages that still hold; `parts` tells which parts of the form a message's field depends on. */
export function standing<Form extends object>(
  faults: Faults<Form> | undefined,
  form: Form,
  parts: (field: string) => readonly (keyof Form)[],
): FieldMessages {
  if (faults === undefined) return {};
  const still = Object.entries(faults.messages).filter(([field]) =>
    parts(field).every((name) => isSame(faults.about[name], form[name])),
  );
  return Object.fromEntries(still);
}

/** Equal as data: what was committed meanwhile without a change is no other value. */
function isSame(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}
