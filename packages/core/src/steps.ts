/** Long work that gives way: whoever drives it may do something else between two of its steps. */
export type Steps<T> = Generator<undefined, T, undefined>;

/** Work in steps, done in one go. */
export function inOneGo<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}
