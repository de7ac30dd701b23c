import { eventLoop } from '@quipu/contracts/simulation'
import { Unavailable } from '@quipu/core'
import { expect, test } from 'vitest'
import { ana, operatorTokens, simulationStart } from '../world/operators.ts'
import { simulatedDatabase } from './simulated-database.ts'

const quoting = (status: 'open' | 'paused'): readonly unknown[] => [
  status,
  { by: ana.person, at: simulationStart, reason: 'test' },
  ana,
]
const failOver = { downMs: 0, offsetMs: 0, answeringMs: 0, catchUpMs: 0 }
const set = { store: 'quoting', name: 'set' } as const

function open() {
  const loop = eventLoop(1, simulationStart)
  const database = simulatedDatabase(loop, operatorTokens())
  const status = async () => (await database.stores.quoting.get()).status
  return { loop, database, status }
}

test('a write is visible at once, and durable when the standby has it', async () => {
  const { loop, database, status } = open()
  database.standby.lagMs = () => 100
  await database.primary.execute(set, quoting('paused'))
  expect(await status()).toBe('paused')
  let isDurable = false
  void database.primary.durable().then(() => (isDurable = true))
  await loop.run(99)
  expect(isDurable).toBe(false)
  await loop.run(1)
  expect(isDurable).toBe(true)
})

test('a fail-over keeps what the standby has, and loses the rest', async () => {
  const { database, status } = open()
  await database.primary.execute(set, quoting('paused'))
  database.stallStandby()
  await database.primary.execute(set, quoting('open'))
  const waiting = database.primary.durable()
  expect(database.failOver(failOver)).toEqual({ promotions: 1, lost: 1 })
  await expect(waiting).rejects.toThrow(Unavailable)
  expect(await status()).toBe('paused')
})

test('a crash keeps what is in the log', async () => {
  const { database, status } = open()
  database.stallStandby()
  await database.primary.execute(set, quoting('paused'))
  database.crash(0)
  expect(await status()).toBe('paused')
})

test('a primary that was replaced answers with what it had, and acknowledges nothing', async () => {
  const { loop, database, status } = open()
  database.stallStandby()
  await database.primary.execute(set, quoting('paused'))
  database.failOver({ ...failOver, answeringMs: 1_000 })
  const old = database.replaced()
  let isDurable = false
  void old?.durable().then(() => (isDurable = true))
  expect(await old?.execute({ store: 'quoting', name: 'get' }, [])).toMatchObject({ status: 'paused' })
  expect(await status()).toBe('open')
  await loop.run(1_000)
  expect(isDurable).toBe(false)
  expect(database.replaced()).toBeUndefined()
})

test('a new primary acknowledges nothing before its standby has caught up', async () => {
  const { loop, database, status } = open()
  database.failOver({ ...failOver, catchUpMs: 1_000 })
  await database.primary.execute(set, quoting('paused'))
  let isDurable = false
  void database.primary.durable().then(() => (isDurable = true))
  await loop.run(999)
  expect(isDurable).toBe(false)
  await loop.run(1)
  expect(isDurable).toBe(true)
  expect(database.failOver(failOver)).toEqual({ promotions: 2, lost: 0 })
  expect(await status()).toBe('paused')
})

test('a standby that has not caught up is not promoted', async () => {
  const { database, status } = open()
  await database.primary.execute(set, quoting('paused'))
  database.failOver({ ...failOver, catchUpMs: 1_000 })
  expect(database.failOver(failOver)).toEqual({ promotions: undefined, lost: 0 })
  expect(await status()).toBe('paused')
})
