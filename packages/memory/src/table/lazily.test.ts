import { expect, test } from 'vitest'
import { lazily } from './lazily.ts'

test('a member is created on first access, once per object', () => {
  let made = 0
  const like = lazily<{ name: string; rows: number[] }>({
    rows: () => {
      made++
      return []
    },
  })
  const [a, b] = [like({ name: 'a' }), like({ name: 'b' })]
  expect(made).toBe(0)

  a.rows.push(1)
  a.rows.push(2)

  expect(made).toBe(1)
  expect(a).toMatchObject({ name: 'a', rows: [1, 2] })
  expect(b.rows).toEqual([])
})

test('a member can be replaced after its creation', () => {
  const object = lazily<{ rows: number[] }>({ rows: () => [] })({})
  expect(object.rows).toEqual([])
  object.rows = [3]
  expect(object.rows).toEqual([3])
})
