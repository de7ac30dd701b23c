import { describe, expect, test } from 'vitest'
import { systemClock, systemIds } from '@quipu/runtime'
import { inWorld } from './current-key.ts'
import { partsOf } from '../parts.ts'
import { makeWorld, type World } from './key-state.ts'
import { type WorldLimits, type Worlds, worldsWithin } from './key-states.ts'

const { stores } = partsOf({ stir: () => undefined }, systemClock)
const make = (key: string): World =>
  makeWorld(key, { realNow: systemClock, ids: systemIds, stores, inWorld })
const within = (limits: Partial<WorldLimits>): Worlds =>
  worldsWithin({ keys: 10, records: 100, recordsPerKey: 50, ...limits }, make)

describe('the worlds that are kept', () => {
  test('a key has one world, and has it again', () => {
    const worlds = within({})
    expect(worlds.of('a')).toBe(worlds.of('a'))
    expect(worlds.of('b')).not.toBe(worlds.of('a'))
  })

  test('there are never more than may be', () => {
    const worlds = within({ keys: 3 })
    for (let n = 0; n < 100; n++) worlds.of(`key ${n}`)
    expect(worlds.size()).toBe(3)
  })

  test('worlds with many records make room for them: the longest idle goes first', () => {
    const worlds = within({ records: 100, recordsPerKey: 60 })
    const [a, b, c] = [worlds.of('a'), worlds.of('b'), worlds.of('c')]
    worlds.stir(a, 40)
    worlds.stir(b, 40)
    worlds.of('a')

    worlds.stir(c, 40)

    expect(worlds.of('a')).toBe(a)
    expect(worlds.of('c')).toBe(c)
    expect(worlds.of('b')).not.toBe(b)
  })

  test('a world with more records than one may have begins anew when it is next asked for', () => {
    const worlds = within({ recordsPerKey: 50 })
    const first = worlds.of('a')
    worlds.stir(first, 50)
    expect(worlds.of('a')).toBe(first)

    worlds.stir(first, 1)

    const second = worlds.of('a')
    expect(second).not.toBe(first)
    expect(second.records).toBe(0)
  })

  test('what a forgotten world still does counts no more, and is not looked after', () => {
    const worlds = within({ keys: 1, records: 100 })
    const gone = worlds.of('a')
    const kept = worlds.of('b')

    worlds.stir(gone, 1_000)

    expect(Array.from(worlds.takeDue())).toEqual([])
    expect(worlds.of('b')).toBe(kept)
  })

  test('a world that was stirred is told of once', () => {
    const worlds = within({})
    const world = worlds.of('a')
    worlds.stir(world)
    worlds.stir(world)

    expect(Array.from(worlds.takeDue())).toEqual([world])
    expect(Array.from(worlds.takeDue())).toEqual([])
  })

  test('a world that rests is told of when its time has come, or when it is stirred', () => {
    let now = 0
    const worlds = worldsWithin({ keys: 10, records: 100, recordsPerKey: 50 }, make, () => now)
    const [a, b] = [worlds.of('a'), worlds.of('b')]
    worlds.rest(a, 500)
    worlds.rest(b, 500)
    worlds.stir(b)

    expect(Array.from(worlds.takeDue())).toEqual([b])
    now = 499
    expect(Array.from(worlds.takeDue())).toEqual([])
    now = 500
    expect(Array.from(worlds.takeDue())).toEqual([a])
  })

  test('a world that was stirred while it was worked on does not rest', () => {
    const worlds = within({})
    const world = worlds.of('a')
    worlds.stir(world)
    worlds.rest(world, 60_000)

    expect(Array.from(worlds.takeDue())).toEqual([world])
  })
})
