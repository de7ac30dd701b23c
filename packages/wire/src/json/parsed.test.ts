import { expect, test } from 'vitest'
import { z } from 'zod'
import { describeIssues, fieldAt, oncePerField, parseVariant } from './parsed.ts'

test('issues are described in one sentence', () => {
  const issues = [
    { field: 'type', message: 'must be qr' },
    { field: 'qr.content', message: 'is required' },
  ]
  expect(describeIssues(issues)).toBe('type must be qr; qr.content is required.')
})

test('a field is a dotted path, the whole is body, and an empty name is quoted', () => {
  expect(fieldAt(['qr', 'content'])).toBe('qr.content')
  expect(fieldAt(['events', 0])).toBe('events.0')
  expect(fieldAt([])).toBe('body')
  expect(fieldAt(['', 'a'])).toBe('"".a')
})

test('each field keeps its first issue', () => {
  const [a, b, again] = [
    { field: 'a', message: '1' },
    { field: 'b', message: '2' },
    { field: 'a', message: '3' },
  ]
  expect(oncePerField([a, b, again])).toEqual([a, b])
})

test('the variant is the one that the member names, by its own properties only', () => {
  const variants = {
    one: z.object({ type: z.literal('one'), size: z.number() }),
    two: z.object({ type: z.literal('two') }),
  }
  const neither = z.never({ error: 'names no variant' })
  const read = (value: unknown) => parseVariant('type', variants, neither, value)
  expect(read({ type: 'one', size: 1 })).toEqual({ ok: true, value: { type: 'one', size: 1 } })
  expect(read({ type: 'two' })).toEqual({ ok: true, value: { type: 'two' } })
  const refused = { ok: false, issues: [{ field: 'body', message: 'names no variant' }] }
  for (const value of [
    undefined,
    null,
    'one',
    { type: 'toString' },
    { type: ['one'], size: 1 },
    {},
  ])
    expect(read(value)).toEqual(refused)
})
