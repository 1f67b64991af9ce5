/** The elements that Tab can reach. */
export const REACHED =
  ':is(a[href], button, input, select, textarea, [tabindex]):not([tabindex="-1"], :disabled):visible';

/** Returns the names of elements: label, aria-label, or text. Runs in the page. */
export const namesOf = (elements: Element[]): string[] =>
  elements.map((one) => {
    if (!(one instanceof HTMLElement)) return '';
    const labels = one instanceof HTMLInputElement || one instanceof HTMLTextAreaElement ? [...(one.labels ?? [])] : [];
    const label = labels.map((each) => each.textContent?.trim() ?? '').join(' ');
    return one.getAttribute('aria-label') ?? (label !== '' ? label : (one.innerText ?? '').trim());
  });
