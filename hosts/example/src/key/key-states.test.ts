import { apiKeyHash } from '@quipu/core/adapter'
import { describe, expect, test } from 'vitest'
import { systemClock, systemIds } from '@quipu/core/system'
import { createKeyState, type KeyState } from './key-state.ts'
import { type KeyLimits, type KeyStates, keyStatesWithin } from './key-states.ts'

const make = (key: string): KeyState => createKeyState(key, { realNow: systemClock, ids: systemIds })
const within = (limits: Partial<KeyLimits>): KeyStates =>
  keyStatesWithin({ keys: 10, records: 100, recordsPerKey: 50, ...limits }, make)

describe('the states of keys', () => {
  test('a key keeps its state', () => {
    const keyStates = within({})
    expect(keyStates.of('a')).toBe(keyStates.of('a'))
    expect(keyStates.of('b')).not.toBe(keyStates.of('a'))
  })

  test('their number is limited', () => {
    const keyStates = within({ keys: 3 })
    for (let n = 0; n < 100; n++) keyStates.of(`key ${n}`)
    expect(keyStates.size()).toBe(3)
  })

  test('when there are too many records, the least recently used key is evicted', () => {
    const keyStates = within({ records: 100, recordsPerKey: 60 })
    const [a, b, c] = [keyStates.of('a'), keyStates.of('b'), keyStates.of('c')]
    keyStates.markDue(a, 40)
    keyStates.markDue(b, 40)
    keyStates.of('a')

    keyStates.markDue(c, 40)

    expect(keyStates.of('a')).toBe(a)
    expect(keyStates.of('c')).toBe(c)
    expect(keyStates.of('b')).not.toBe(b)
  })

  test('a key with too many records is reset on its next use', () => {
    const keyStates = within({ recordsPerKey: 50 })
    const first = keyStates.of('a')
    keyStates.markDue(first, 50)
    expect(keyStates.of('a')).toBe(first)

    keyStates.markDue(first, 1)

    const second = keyStates.of('a')
    expect(second).not.toBe(first)
    expect(second.records).toBe(0)
  })

  test('a rotated key has the state of the one that it replaces, until that is evicted', () => {
    const keyStates = within({ keys: 2 })
    const state = keyStates.of('a')
    keyStates.rotate(state, apiKeyHash('b'))
    keyStates.of('c')
    expect(keyStates.of('b')).toBe(state)
    keyStates.of('d')
    expect(keyStates.of('a')).toBe(state)
    for (const key of ['e', 'f']) keyStates.of(key)
    expect(keyStates.of('b')).not.toBe(state)
    keyStates.rotate(state, apiKeyHash('g'))
    expect(keyStates.of('g')).not.toBe(state)
  })

  test('an evicted key is neither counted nor due', () => {
    const keyStates = within({ keys: 1, records: 100 })
    const gone = keyStates.of('a')
    const kept = keyStates.of('b')

    keyStates.markDue(gone, 1_000)

    expect(Array.from(keyStates.takeDue())).toEqual([])
    expect(keyStates.of('b')).toBe(kept)
  })

  test('a due key is returned once', () => {
    const keyStates = within({})
    const state = keyStates.of('a')
    keyStates.markDue(state)
    keyStates.markDue(state)

    expect(Array.from(keyStates.takeDue())).toEqual([state])
    expect(Array.from(keyStates.takeDue())).toEqual([])
  })

  test('a key is due after its pause, or when it is marked before', () => {
    let now = 0
    const keyStates = keyStatesWithin({ keys: 10, records: 100, recordsPerKey: 50 }, make, () => now)
    const [a, b] = [keyStates.of('a'), keyStates.of('b')]
    keyStates.dueAfter(a, 500)
    keyStates.dueAfter(b, 500)
    keyStates.markDue(b)

    expect(Array.from(keyStates.takeDue())).toEqual([b])
    now = 499
    expect(Array.from(keyStates.takeDue())).toEqual([])
    now = 500
    expect(Array.from(keyStates.takeDue())).toEqual([a])
  })

  test('a key marked during its work stays due', () => {
    const keyStates = within({})
    const state = keyStates.of('a')
    keyStates.markDue(state)
    keyStates.dueAfter(state, 60_000)

    expect(Array.from(keyStates.takeDue())).toEqual([state])
  })
})
