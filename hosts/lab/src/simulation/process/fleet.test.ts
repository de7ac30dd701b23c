import { expect, test } from 'vitest'
import { noPlants } from '../plant/plants.ts'
import { thisRelease } from '../release/release.ts'
import { calm, scenarioOf } from '../scenario/scenario.ts'
import { newWorld } from '../world/world.ts'
import { allRunAt, replaceApi, replaceWorker, startFleet } from './fleet.ts'

test('a worker that was stopped runs until what it has begun has ended', async () => {
  const scenario = { ...scenarioOf(1), actions: [], faults: [], conditions: calm }
  const world = await newWorld(scenario, { plants: noPlants, releases: [thisRelease], kind: 'http' })
  const fleet = startFleet(world)
  await world.loop.run(10_000)
  // Each write is on its way for a minute.
  world.databaseFaults.diskMs = () => 60_000
  await world.loop.run(5_000)
  world.version = 1
  for (const target of [0, 1]) replaceApi(world, fleet, target)
  for (const target of [0, 1]) replaceWorker(world, fleet, target, false)
  await world.loop.run(5_000)
  expect(fleet.stopping.size).toBeGreaterThan(0)
  expect(allRunAt(fleet, 1)).toBe(false)
  world.databaseFaults.diskMs = () => 0
  await world.loop.run(120_000)
  expect(fleet.stopping.size).toBe(0)
  expect(allRunAt(fleet, 1)).toBe(true)
})
