import type { FastifyInstance, FastifyReply } from 'fastify';
import type { StoredFile } from './route.ts';

/**
 * Returns the content security policy for every response. `style-src-attr` is needed because the component library sets
 * style attributes.
 */
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
 * Returns the headers for every response. `protocol` is the request's protocol, as reported by a trusted proxy
 * (X-Forwarded-Proto). If PUBLIC_URL or the request uses HTTPS, a header makes browsers keep using it.
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

/** Sets the security headers on every response, and prevents caches from storing API responses. */
export function setHeaders(app: FastifyInstance, settings: HeaderSettings): void {
  const byProtocol = { http: securityHeaders(settings), https: securityHeaders(settings, 'https') };
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(byProtocol[request.protocol]).header('x-request-id', request.id);
    if (/^\/api(\/|\?|$)/i.test(request.url)) reply.header('cache-control', 'no-store');
  });
}

/** Encodes a file name for a header, in ASCII for old programs and in full for others (RFC 6266, RFC 8187). */
function disposition(name: string): string {
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/g, '_');
  const whole = encodeURIComponent(name).replace(/['()*!]/g, (mark) => `%${mark.charCodeAt(0).toString(16)}`);
  return `attachment; filename="${plain}"; filename*=UTF-8''${whole}`;
}

/** Sets headers so that a file of any type is downloaded and never displayed as an Evenkeel page. */
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
    /** Whether the process is shutting down. */
    leaving: { begun: boolean };
  }
}

/**
 * Lets a process stop gracefully. The process still responds to requests, but /readyz fails, and each connection closes
 * after its response. Proxies and persistent connections therefore move to another process before this process stops
 * accepting requests.
 */
export function letLeave(app: FastifyInstance): void {
  const leaving = { begun: false };
  app.decorate('leaving', leaving);
  app.addHook('onSend', async (_request, reply) => {
    if (leaving.begun) reply.header('connection', 'close');
  });
}
