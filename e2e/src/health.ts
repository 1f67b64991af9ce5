import { endpoints } from '@evenkeel/contract/all';
import type { Endpoint } from '@evenkeel/contract/endpoint';
import type { BrowserContext, Page, Request } from 'playwright-core';

const pathOf = ({ path }: Endpoint): RegExp => new RegExp(`/api${path.replace(/\{\w+\}/g, '[^/]+')}$`);
const reads = endpoints.filter((one) => one.reads).map((one) => ({ method: one.method, path: pathOf(one) }));

/**
 * Returns whether a request only reads. The web app cancels a read when its screen closes or another read replaces it.
 */
function isRead(request: Request): boolean {
  const [method, { pathname }] = [request.method(), new URL(request.url())];
  return method === 'GET' || reads.some((one) => one.method === method && one.path.test(pathname));
}

/**
 * Runs in the page. Reports an action after which nothing has the focus, because the focused element has been removed
 * or disabled.
 */
function tellLostFocus(): void {
  const waitMs = 1000;
  let last: Element | null = null;
  const isLost = () =>
    (document.activeElement === null || document.activeElement === document.body) &&
    last !== null &&
    (!last.isConnected || last.matches(':disabled:not([data-loading])'));
  const check = ({ type, target }: Event) => {
    const name = target instanceof Element ? (target.closest('button, a, [role]')?.textContent ?? '').slice(0, 60) : '';
    const path = window.location.pathname + window.location.search;
    const after = (then: (before: Element | null) => void) => setTimeout(() => isLost() && then(last), waitMs);
    // Under load, the element may have been removed only shortly before the first check.
    after((before) =>
      after((still) => {
        if (still === before) console.error(`the focus was lost after ${type} on "${name}" at ${path}`);
      }),
    );
  };
  document.addEventListener('focusin', ({ target }) => (last = target instanceof Element ? target : null));
  for (const name of ['click', 'keyup']) document.addEventListener(name, check, { capture: true });
}

/** Records problems that a user would not see: lost focus, errors, failed calls, and violated rules. */
export class Health {
  #problems: string[] = [];
  #allowed: RegExp[] = [];

  /**
   * Watches all current and future pages in a browser profile. With `focus`, also watches for actions that lose the
   * focus.
   */
  async watch(context: BrowserContext, { focus }: { focus: boolean }): Promise<void> {
    await context.addInitScript(() => {
      document.addEventListener('securitypolicyviolation', (event) => {
        console.error(`CSP ${event.violatedDirective}: ${event.blockedURI} ${event.sample}`);
      });
    });
    if (focus) await context.addInitScript(tellLostFocus);
    context.on('page', (page) => this.#follow(page));
  }

  #follow(page: Page): void {
    page.on('console', (message) => {
      if (message.type() === 'error') this.#note(`console: ${message.text()} ${message.location().url}`);
    });
    page.on('pageerror', (error) => this.#note(`uncaught: ${error.message}`));
    page.on('requestfailed', (request) => {
      const reason = request.failure()?.errorText ?? '';
      // A read that is no longer needed because its screen is closed.
      if (reason === 'net::ERR_ABORTED' && isRead(request)) return;
      this.#note(`no answer: ${request.method()} ${request.url()} ${reason}`);
    });
    page.on('response', (response) => {
      if (response.status() < 400) return;
      this.#note(`refused: ${response.request().method()} ${response.url()} ${response.status()}`);
    });
  }

  #note(problem: string): void {
    this.#problems.push(problem);
  }

  /**
   * Allows the messages that the journey will cause next, and stops allowing the earlier ones. Fails if there has been
   * a problem.
   */
  allow(...patterns: RegExp[]): void {
    this.check();
    this.#allowed = patterns;
  }

  /** Fails if there was any other problem. */
  check(): void {
    const left = this.#problems.filter((problem) => !this.#allowed.some((pattern) => pattern.test(problem)));
    this.#problems = [];
    if (left.length > 0) throw new Error(`unexpected problems:\n${left.join('\n')}`);
  }
}
