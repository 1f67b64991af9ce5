import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Failure } from '@evenkeel/core/failure';
import { serverRoot } from '../root.ts';
import { errorAnswer } from './errors.ts';

const YEAR = 'public, max-age=31536000, immutable';

function builtWeb(): string {
  return join(serverRoot(), '..', 'web', 'dist');
}

interface WebSettings {
  folder?: string | undefined;
  /** The script of a chat widget. Every page includes this script. */
  chatWidgetUrl: string | undefined;
}

/**
 * Serves the built web app. Files with a hash in their name are cached permanently, and all other files are
 * revalidated. An unknown page is handled by the app.
 */
export async function serveWeb(
  app: FastifyInstance,
  { folder = builtWeb(), chatWidgetUrl }: WebSettings,
): Promise<void> {
  if (existsSync(join(folder, 'index.html'))) {
    await app.register(fastifyStatic, {
      root: folder,
      preCompressed: true,
      dotfiles: 'ignore',
      cacheControl: false,
      index: false,
      setHeaders: (reply, path) => {
        reply.header('cache-control', /[/\\]assets[/\\]/.test(path) ? YEAR : 'no-cache');
      },
    });
  }
  const pages = await readPages(folder, chatWidgetUrl);
  app.get('/', (request, reply) => nothingHere(request, reply, pages));
  app.setNotFoundHandler((request, reply) => nothingHere(request, reply, pages));
}

/** Returns the app's page for an address, or undefined if the app was not built. */
type Pages = (path: string) => string | undefined;

/**
 * Returns the app's only page. Its head lists the files that the address needs (`pages.json` in the build), so that the
 * browser requests all of them immediately.
 */
async function readPages(folder: string, chatWidgetUrl: string | undefined): Promise<Pages> {
  const built = await readFile(join(folder, 'index.html'), 'utf8').catch(() => undefined);
  const chat = chatWidgetUrl === undefined ? '' : `<meta name="chat-widget" content="${attribute(chatWidgetUrl)}">`;
  const page = built?.replace('</head>', () => `${chat}</head>`);
  const listed = await readFile(join(folder, 'pages.json'), 'utf8').catch(() => '{}');
  const links = new Map(
    Object.entries(JSON.parse(listed) as Record<string, string[]>).map(([path, files]) => [
      path.toLowerCase(),
      files.map(linkTo).join(''),
    ]),
  );
  return (path) => {
    const [, first = ''] = path.split('/');
    return page?.replace('</head>', `${links.get(`/${first}`.toLowerCase()) ?? ''}</head>`);
  };
}

/** Encodes a URL for an HTML attribute. A URL contains neither quotation marks nor angle brackets. */
const attribute = (address: string): string => new URL(address).href.replaceAll('&', '&amp;').replaceAll('"', '%22');

const linkTo = (file: string): string =>
  file.endsWith('.css')
    ? `<link rel="preload" as="style" crossorigin href="/${file}">`
    : `<link rel="modulepreload" crossorigin href="/${file}">`;

/** The app's pages are routed in the browser. Only missing files and unknown API calls return 404. */
async function nothingHere(request: FastifyRequest, reply: FastifyReply, pages: Pages): Promise<FastifyReply> {
  const path = request.url.split('?')[0] ?? '/';
  const isPage =
    ['GET', 'HEAD'].includes(request.method) && !/^\/(api|assets)(\/|$)/i.test(path) && !/\.\w+$/.test(path);
  const page = isPage ? pages(path) : undefined;
  if (page !== undefined) return reply.type('text/html; charset=utf-8').header('cache-control', 'no-cache').send(page);
  const { status, body } = errorAnswer(new Failure('not_found', 'Not found'), request.id);
  return reply.code(status).send(body);
}
