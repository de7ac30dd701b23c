import { Unavailable, usdt } from '@quipu/core'
import { expect, test } from 'vitest'
import { nameStandbys, untilWaiting } from '../test/standby-pair.fixture.ts'
import { openCell, quickly, sql } from './cell.fixture.ts'
import { readCell } from './read-cell.ts'
import { splitCell, type SplitStep, undoSplit } from './split-cell.ts'

const required = (connectionString: string) => ({ connectionString, isStandbyRequired: true })
const noStandby = 'no standby is required by the server'

/** Cell g whose commits wait for the server that becomes cell h: a test has no third one. */
async function openSplit() {
  const cell = await openCell(true)
  const tenants = [await cell.g.newWallet(usdt(1n))]
  const stopped = () =>
    sql(cell.from, 'select from quipu.wallet where tenant_id = any ($1) and moved_to is not null', [tenants])
  return { ...cell, split: { from: required(cell.from), to: cell.to, tenants, cell: 'h' }, stopped }
}

const killed = new Error('killed')
const untilStep = (step: SplitStep) => (reached: SplitStep) => {
  if (reached === step) throw killed
}

test('where a standby is required and a server requires none, neither a split nor its way back writes', async () => {
  const { pair, from, to, split } = await openSplit()
  const other = { ...split, from, to: required(to) }
  await expect(splitCell(other, quickly)).rejects.toThrow(noStandby)
  expect(await readCell(from)).toMatchObject({ moving: [] })
  await expect(splitCell(split, { ...quickly, report: untilStep('replay') })).rejects.toThrow(killed)
  await nameStandbys(pair, '')
  for (const run of [splitCell, undoSplit]) await expect(run(split, quickly)).rejects.toThrow(noStandby)
  expect(await readCell(from)).toMatchObject({ moving: [{ cell: 'h', step: 'stopped', tenants: 1 }] })
  await nameStandbys(pair, 'standby')
  await undoSplit(split)
  expect(await readCell(from)).toMatchObject({ moving: [] })
})

test('a split whose stop waits for the standby when the setting is emptied goes no step further', async () => {
  const { pair, split } = await openSplit()
  const steps: SplitStep[] = []
  const report = (step: SplitStep): void => {
    steps.push(step)
    if (step === 'stop') pair.replication.stall()
  }
  const running = splitCell(split, { ...quickly, report }).catch((error: unknown) => error)
  await untilWaiting(pair)
  await nameStandbys(pair, '')
  expect(await running).toEqual(expect.objectContaining({ message: expect.stringContaining(noStandby) as string }))
  expect(await running).toBeInstanceOf(Unavailable)
  expect(steps.at(-1)).toBe('stop')
})

test('a stop that is visible and on no standby, as its command died, is confirmed before any further step', async () => {
  const { pair, from, split, stopped } = await openSplit()
  const stalling = (step: SplitStep): void => {
    if (step === 'stop') pair.replication.stall()
  }
  const dying = splitCell(split, { ...quickly, report: stalling }).catch((error: unknown) => error)
  await untilWaiting(pair)
  await sql(from, `select pg_terminate_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'`)
  expect(await dying).toBeInstanceOf(Error)
  expect(await stopped()).toHaveLength(1)
  const steps: SplitStep[] = []
  const report = (step: SplitStep): void => {
    steps.push(step)
    untilStep('promote')(step)
  }
  const again = splitCell(split, { ...quickly, report }).catch((error: unknown) => error)
  await untilWaiting(pair)
  expect(steps).toEqual(['prepare'])
  pair.replication.resume()
  expect(await again).toBe(killed)
})
