import { beforeAll, describe, expect, test } from 'vitest'
import { apiWiring } from './api-wiring.fixture.ts'
import { exampleWiring, migrateWiring, startWiring } from './other-wirings.fixture.ts'
import {
  changeOf,
  type Composed,
  type Composition,
  composeRows,
  differences,
  loopsOf,
  makersOf,
  placesOf,
  unendedOf,
} from './wiring.fixture.ts'
import { workerWiring } from './worker-wiring.fixture.ts'

describe.each([
  ['the API', apiWiring],
  ['the worker', workerWiring],
  ['the example server', exampleWiring],
  ['migrate', migrateWiring],
  ['start', startWiring],
])('%s', (_, wiring) => {
  let composed: Composed
  beforeAll(async () => {
    composed = await composeRows(wiring)
  })

  test('has a row for each of its settings', () => {
    expect(Object.keys(wiring.rows).toSorted()).toEqual(Object.keys(wiring.schema.shape).toSorted())
  })

  test.each(Object.entries(wiring.rows))('%s arrives where it is used', (name, row) => {
    const [change, places] = changeOf(name, row)
    const [before, after] = composed.rows.get(name) ?? [{}, {}]
    const value = typeof change === 'string' ? change : (change[1][name] ?? undefined)
    expect(differences(before, after, value)).toEqual(placesOf(places))
    expect(places).not.toBe('')
  })

  test('composes nothing of a setting that is left out', () => {
    const isUsed = ([name, after]: [string, Composition]): boolean =>
      Object.values(after).includes(wiring.base[name] ?? '') ||
      differences(composed.base, after, undefined).length === 0
    expect(Array.from(composed.unset).filter(isUsed)).toEqual([])
  })

  test('ends everything that it has opened', () => {
    expect(unendedOf(composed.base)).toEqual([])
    const waits = Object.keys(composed.base).flatMap((place) => /^(?:listener\.stop|settled)/.exec(place) ?? [])
    expect(waits).toEqual(waits.toSorted()) // A request that arrives later would begin a payment for which nothing waits.
  })

  test('starts its loops', () => {
    expect(loopsOf(composed.base).toSorted()).toEqual((wiring.loops ?? []).toSorted())
  })

  test('dates everything by one clock', () => {
    expect(makersOf(composed.base, /\.now$/)).toEqual(wiring.clocks ?? ['→ databaseClock.now'])
    const ahead = makersOf(composed.base, /headMs$/)
    expect(wiring.clocks ?? ['→ databaseClock.aheadMs']).toEqual(expect.arrayContaining(Array.from(ahead)))
  })

  test('raises every alert in the log', () => {
    expect(new Set(['→ logged.raiseAlert', ...makersOf(composed.base, /\.raiseAlert$/)]).size).toBe(1)
  })

  test('passes on what it has made', () => {
    const passed = Object.entries(wiring.ports ?? {}).flatMap(([maker, places]) =>
      placesOf(places).map((place) => [place, `→ ${maker}`]),
    )
    expect(composed.base).toMatchObject(Object.fromEntries(passed))
  })
})
