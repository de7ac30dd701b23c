import { expect, test } from 'vitest'
import { z } from 'zod'
import { describeIssues, fieldAt, listedIssues, oncePerField, parse, parseVariant, type Rule } from './parsed.ts'

test('issues are described in one sentence', () => {
  const issues = [
    { field: 'type', message: 'must be qr' },
    { field: 'qr.content', message: 'is required' },
  ]
  expect(describeIssues(issues)).toBe('type must be qr; qr.content is required.')
})

test('an answer lists 20 issues, names of 100 characters, and how many more there are', () => {
  const many = (length: number) =>
    Array.from({ length }, (_, i) => ({ field: `${i}${'x'.repeat(5_000)}`, message: 'is wrong' }))
  expect(listedIssues(many(20))).toHaveLength(20)
  expect(describeIssues(many(20))).not.toContain('more')
  expect(listedIssues(many(8_288))).toHaveLength(20)
  expect(describeIssues(many(8_288))).toMatch(/^0x{99}… is wrong; .*; and 8268 more\.$/)
  expect(describeIssues(many(8_288)).length).toBeLessThan(3_000)
  const [cut] = listedIssues([{ field: `${'x'.repeat(99)}🧶`, message: 'is wrong' }])
  expect(cut?.field.isWellFormed()).toBe(true)
})

test('a rule between members is checked beside the members themselves', () => {
  const pair = z.object({ from: z.int(), to: z.int() })
  const inOrder: Rule = ({ from, to }) =>
    Number(from) > Number(to) ? [{ field: 'from', message: 'must not be after to' }] : []
  expect(parse(pair, { from: 2, to: 1.5 }, inOrder)).toMatchObject({ issues: [{ field: 'to' }, { field: 'from' }] })
  expect(parse(pair, { from: 2, to: 1 }, inOrder)).toMatchObject({ issues: [{ field: 'from' }] })
  expect(parse(pair, { from: 1, to: 2 }, inOrder)).toEqual({ ok: true, value: { from: 1, to: 2 } })
  expect(parse(pair, null, inOrder)).toMatchObject({ issues: [{ field: 'body' }] })
})

test('null is left out where a member is optional and has no null of its own, at every level', () => {
  const inner = z.object({ note: z.string().optional(), limit: z.int().nullable().optional() })
  const schema = z.object({ inner: inner.optional(), name: z.string(), hours: z.int().default(5) })
  const given = { inner: { note: null, limit: null }, name: 'x', hours: null }
  expect(parse(schema, given)).toEqual({ ok: true, value: { inner: { limit: null }, name: 'x', hours: 5 } })
  expect(parse(schema, { inner: null, name: 'x' })).toEqual({ ok: true, value: { name: 'x', hours: 5 } })
  expect(parse(schema, { name: null })).toMatchObject({ issues: [{ field: 'name' }] })
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
  for (const value of [undefined, null, 'one', { type: 'toString' }, { type: ['one'], size: 1 }, {}])
    expect(read(value)).toEqual(refused)
})
