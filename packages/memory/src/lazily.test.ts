import { expect, test } from 'vitest'
import { lazily } from './lazily.ts'

test('a member is made when it is first asked for, once, and by each object for itself', () => {
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

test('a member can be replaced once it is there', () => {
  const room = lazily<{ rows: number[] }>({ rows: () => [] })({})
  expect(room.rows).toEqual([])
  room.rows = [3]
  expect(room.rows).toEqual([3])
})
