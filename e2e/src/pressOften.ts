/** The number of clicks and the pause between them in ms. */
interface Presses {
  times: number;
  pause: number;
}

/** Clicks a button several times and also sends the shortcut for Save. Runs in the page. */
export async function pressOften(element: Element, { times, pause }: Presses): Promise<void> {
  const input = element.closest('[role="dialog"]')?.querySelector('input');
  for (let press = 0; press < times && element instanceof HTMLElement; press += 1) {
    element.click();
    if (press % 3 === 0) {
      const keys = { key: 'Enter', code: 'Enter', ctrlKey: true, bubbles: true };
      input?.dispatchEvent(new KeyboardEvent('keydown', keys));
    }
    if (pause > 0 || press % 10 === 0) await new Promise((done) => setTimeout(done, pause));
  }
}
