import { createDemo, findDemo, resetDemo } from '../demo/demo.ts';
import { DEMO_EMAIL } from '../../platform/mail/demo-email.ts';
import type { Command } from './command.ts';
import { servicesOf } from './services.ts';

/**
 * Creates a demo company with realistic books and prints its sign-in details. With --reset, an existing demo company
 * gets a new password and keeps its books, and a missing one is created.
 */
export const demoCommand: Command = {
  name: 'demo',
  usage: '[--reset]',
  options: { reset: { type: 'boolean' } },
  run: async (context) => {
    const services = await servicesOf(context);
    const demo = await findDemo(services);
    const isReset = context.options['reset'] === true;
    if (demo !== undefined && !isReset) {
      throw new Error(
        `The demo company already exists (company ${demo.companyId}, ${DEMO_EMAIL}). To get a new ` +
          'password, run: npm run --silent evenkeel -- demo --reset',
      );
    }
    if (demo === undefined) context.say('Creating two years of books…');
    return { result: await (isReset ? resetDemo(services) : createDemo(services)) };
  },
};
