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

/** The built web app: hashed files for ever, everything else asked for again; an unknown page is the app's own. */
export async function serveWeb(app: FastifyInstance, folder = builtWeb()): Promise<void> {
  if (existsSync(join(folder, 'index.html'))) {
    await app.register(fastifyStatic, {
      root: folder,
      preCompressed: true,
      dotfiles: 'ignore',
      cacheControl: false,
      index: 'index.html',
      setHeaders: (reply, path) => {
        reply.header('cache-control', /[/\\]assets[/\\]/.test(path) ? YEAR : 'no-cache');
      },
    });
  }
  app.setNotFoundHandler((request, reply) => nothingHere(request, reply, folder));
}

/** Pages of the app are routed in the browser; a missing file or call is a 404. */
async function nothingHere(request: FastifyRequest, reply: FastifyReply, folder: string): Promise<FastifyReply> {
  const path = request.url.split('?')[0] ?? '/';
  const isPage =
    ['GET', 'HEAD'].includes(request.method) && !/^\/(api|assets)(\/|$)/i.test(path) && !/\.\w+$/.test(path);
  const page = isPage ? await readFile(join(folder, 'index.html')).catch(() => undefined) : undefined;
  if (page !== undefined) return reply.type('text/html; charset=utf-8').header('cache-control', 'no-cache').send(page);
  const { status, body } = errorAnswer(new Failure('not_found', 'There is nothing here'), request.id);
  return reply.code(status).send(body);
}
