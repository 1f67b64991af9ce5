import type { FastifyInstance, FastifyReply } from 'fastify';
import type { StoredFile } from './route.ts';

/** The content security policy of every answer. `style-src-attr`: the component library writes style attributes. */
export function contentSecurityPolicy(chatWidgetUrl: string | undefined): string {
  const widget = chatWidgetUrl === undefined ? '' : ` ${new URL(chatWidgetUrl).origin}`;
  return [
    "default-src 'none'",
    `script-src 'self'${widget}`,
    "style-src 'self'",
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    `connect-src 'self'${widget}`,
    `frame-src 'self' blob:${widget}`,
    "worker-src 'self' blob:",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}

interface HeaderSettings {
  chatWidgetUrl: string | undefined;
  publicUrl: string;
}

/**
 * The headers of every answer, whoever makes it. `protocol` is that of the request, as a trusted proxy tells it
 * (X-Forwarded-Proto): behind https, whether PUBLIC_URL says so or the request came so, browsers are told to stay.
 */
export function securityHeaders(
  { chatWidgetUrl, publicUrl }: HeaderSettings,
  protocol = 'http',
): Record<string, string> {
  const fixed: Record<string, string> = {
    'content-security-policy': contentSecurityPolicy(chatWidgetUrl),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'x-frame-options': 'DENY',
    'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=()',
  };
  if (protocol === 'https' || publicUrl.startsWith('https:')) {
    fixed['strict-transport-security'] = 'max-age=31536000';
  }
  return fixed;
}

/** Sets the security headers on every answer, and forbids caches to keep what the API says. */
export function setHeaders(app: FastifyInstance, settings: HeaderSettings): void {
  const byProtocol = { http: securityHeaders(settings), https: securityHeaders(settings, 'https') };
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(byProtocol[request.protocol]).header('x-request-id', request.id);
    if (/^\/api(\/|\?|$)/i.test(request.url)) reply.header('cache-control', 'no-store');
  });
}

/** A name as a header carries it: plain letters for old programs, and all of them (RFC 6266, RFC 8187). */
function disposition(name: string): string {
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/g, '_');
  const whole = encodeURIComponent(name).replace(/['()*!]/g, (mark) => `%${mark.charCodeAt(0).toString(16)}`);
  return `attachment; filename="${plain}"; filename*=UTF-8''${whole}`;
}

/** A file of any kind is only saved, never shown as a page of ours. */
export function setFileHeaders(reply: FastifyReply, { name, contentType, size }: StoredFile): void {
  reply.headers({
    'content-type': contentType,
    ...(size === undefined ? {} : { 'content-length': size }),
    'content-disposition': disposition(name),
    'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
  });
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Begun once the process is to end. */
    leaving: { begun: boolean };
  }
}

/**
 * A process that is to end goes on answering, and says so: /readyz refuses, and each answer closes its connection. So
 * proxies and kept connections have moved to another process before this one takes no more.
 */
export function letLeave(app: FastifyInstance): void {
  const leaving = { begun: false };
  app.decorate('leaving', leaving);
  app.addHook('onSend', async (_request, reply) => {
    if (leaving.begun) reply.header('connection', 'close');
  });
}
