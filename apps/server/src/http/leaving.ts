import type { FastifyInstance } from 'fastify';

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
