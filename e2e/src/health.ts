import { endpoints } from '@evenkeel/contract/all';
import type { Endpoint } from '@evenkeel/contract/endpoint';
import type { BrowserContext, Page, Request } from 'playwright-core';

const pathOf = ({ path }: Endpoint): RegExp => new RegExp(`/api${path.replace(/\{\w+\}/g, '[^/]+')}$`);
const reads = endpoints.filter((one) => one.reads).map((one) => ({ method: one.method, path: pathOf(one) }));

/** Whether it writes nothing: the web takes such a call back when its screen closes or another one replaces it. */
function isRead(request: Request): boolean {
  const [method, { pathname }] = [request.method(), new URL(request.url())];
  return method === 'GET' || reads.some((one) => one.method === method && one.path.test(pathname));
}

/** Listens to everything a person would not see but an engineer must: errors, refused calls, broken rules. */
export class Health {
  #problems: string[] = [];
  #allowed: RegExp[] = [];

  /** Follows all pages of a profile, present and future. */
  async watch(context: BrowserContext): Promise<void> {
    await context.addInitScript(() => {
      document.addEventListener('securitypolicyviolation', (event) => {
        console.error(`CSP ${event.violatedDirective}: ${event.blockedURI} ${event.sample}`);
      });
    });
    context.on('page', (page) => this.#follow(page));
  }

  #follow(page: Page): void {
    page.on('console', (message) => {
      if (message.type() === 'error') this.#note(`console: ${message.text()} ${message.location().url}`);
    });
    page.on('pageerror', (error) => this.#note(`uncaught: ${error.message}`));
    page.on('requestfailed', (request) => {
      const reason = request.failure()?.errorText ?? '';
      // A read that a closed screen no longer waits for.
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
   * Allows messages that the journey itself causes from here on, and no longer those allowed before. Fails when
   * anything went wrong until here.
   */
  allow(...patterns: RegExp[]): void {
    this.check();
    this.#allowed = patterns;
  }

  /** Fails when anything else went wrong. */
  check(): void {
    const left = this.#problems.filter((problem) => !this.#allowed.some((pattern) => pattern.test(problem)));
    this.#problems = [];
    if (left.length > 0) throw new Error(`What nobody asked for:\n${left.join('\n')}`);
  }
}
