import { expect, test } from 'vitest'
import { parseNoBody, parseNoQuery } from './empty.ts'

test('no body and an empty object are the same', () => {
  expect(parseNoBody(undefined)).toEqual({ ok: true, value: undefined })
  expect(parseNoBody({})).toEqual({ ok: true, value: undefined })
})

test('a body with a member, or of another kind, is refused', () => {
  expect(parseNoBody({ reason: 'x' })).toEqual({
    ok: false,
    issues: [{ field: 'reason', message: 'is not allowed in this body, which has no members' }],
  })
  for (const body of [null, [], '', 0, false])
    expect(parseNoBody(body)).toEqual({ ok: false, issues: [{ field: 'body', message: 'must be a JSON object' }] })
})

test('an endpoint without parameters refuses any', () => {
  for (const search of ['', '?', new URLSearchParams()])
    expect(parseNoQuery(search)).toEqual({ ok: true, value: undefined })
  expect(parseNoQuery('a=1&a=2')).toEqual({
    ok: false,
    issues: [{ field: 'a', message: 'is not allowed here: this endpoint takes no query parameters' }],
  })
})

test('a parameter or member whose name is empty is named by its quotes', () => {
  const message = 'is not allowed here: this endpoint takes no query parameters'
  expect(parseNoQuery('=')).toEqual({ ok: false, issues: [{ field: '""', message }] })
  expect(parseNoQuery('=&=')).toEqual({ ok: false, issues: [{ field: '""', message }] })
  expect(parseNoBody({ '': 1 })).toMatchObject({ issues: [{ field: '""' }] })
})
