import type { z } from 'zod'
import type { Text } from '../text/text.ts'
import type { Examples, Operation } from './operation.ts'

type Answers = Operation['answers']

/** The only success of an operation is 200 with a body. */
export const ok = (description: Text | string, schema: z.ZodType, examples: Examples): Answers => ({
  200: { description, schema, examples },
})

/** The only success of an operation is 201 with a body. */
export const created = (description: Text | string, schema: z.ZodType, examples: Examples): Answers => ({
  201: { description, schema, examples },
})

/** The answer of a list, with its last page as the example. */
export const lastPage = <T>(
  schema: z.ZodType,
  items: readonly T[],
  toJson: (item: T) => unknown,
  description: Text | string = { en: 'A page.', es: 'Una página.' },
): Answers => ok(description, schema, { last: { data: items.map((item) => toJson(item)), next_cursor: null } })
