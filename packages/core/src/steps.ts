/** Long work that is divided into steps. The caller can do other work between two steps. */
export type Steps<T> = Generator<undefined, T, undefined>;

/** Runs all steps without interruption and returns the result. */
export function inOneGo<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}
