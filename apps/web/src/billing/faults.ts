import type { FieldMessages } from '@evenkeel/core/failure';

/** Messages of a form with the values that they are about: a message is gone once its field has changed. */
export interface Faults<Form> {
  messages: FieldMessages;
  /** The form as it was tried. */
  about: Form;
}

/** The messages that still hold; `property` tells which part of the form a message's field is kept in. */
export function standing<Form extends object>(
  faults: Faults<Form> | undefined,
  form: Form,
  property: (field: string) => keyof Form | undefined,
): FieldMessages {
  if (faults === undefined) return {};
  const still = Object.entries(faults.messages).filter(([field]) => {
    const name = property(field);
    return name === undefined || faults.about[name] === form[name];
  });
  return Object.fromEntries(still);
}
