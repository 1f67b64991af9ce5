import * as z from 'zod';
import { describe, expect, it } from 'vitest';
import { endpoints } from '@evenkeel/contract/all';
import { apiDocument, shapeOf } from './api-docs.ts';

const shape = (schema: z.ZodType): string => shapeOf(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }));

describe('shapeOf', () => {
  it('marks a field that may be left out, and lists what a list holds', () => {
    const schema = z.object({
      id: z.number().int().min(1),
      note: z.string().max(50).optional(),
      tags: z.array(z.string()),
    });
    expect(shape(schema)).toBe(
      '{\n  id: integer (at least 1)\n  note?: string (at most 50 characters)\n  tags: string[]\n}',
    );
  });

  it('shows choices, and a list of choices in brackets', () => {
    expect(shape(z.enum(['a', 'b']))).toBe('"a" | "b"');
    expect(shape(z.array(z.union([z.string(), z.null()])))).toBe('(string | null)[]');
  });
});

describe('apiDocument', () => {
  it('has a chapter for each endpoint, and tells every shape that it names', async () => {
    const text = await apiDocument();
    for (const { method, path } of endpoints) expect(text).toContain(`\n### ${method} /api${path}\n`);
    for (const [, name] of text.matchAll(/```text\n([A-Z]\w+)\n```/g)) expect(text).toContain(`\n### ${name}\n`);
  });
});
