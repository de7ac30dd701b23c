import { eventLoop } from '@quipu/contracts/simulation'
import { Unavailable } from '@quipu/core'
import { expect, test } from 'vitest'
import { operatorTokens, simulationStart } from '../world/operators.ts'
import { simulatedDatabase } from './simulated-database.ts'

const quoting = (status: 'open' | 'paused'): readonly unknown[] => [
  status,
  { by: 'ana', at: simulationStart, reason: 'test' },
]
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
  await database.execute(set, quoting('paused'))
  expect(await status()).toBe('paused')
  let isDurable = false
  void database.durable().then(() => (isDurable = true))
  await loop.run(99)
  expect(isDurable).toBe(false)
  await loop.run(1)
  expect(isDurable).toBe(true)
})

test('a fail-over keeps what the standby has, and loses the rest', async () => {
  const { database, status } = open()
  await database.execute(set, quoting('paused'))
  database.stallStandby()
  await database.execute(set, quoting('open'))
  const waiting = database.durable()
  expect(database.failOver(0, 0)).toBe(1)
  await expect(waiting).rejects.toThrow(Unavailable)
  expect(await status()).toBe('paused')
})

test('a crash keeps what is in the log', async () => {
  const { database, status } = open()
  database.stallStandby()
  await database.execute(set, quoting('paused'))
  database.crash(0)
  expect(await status()).toBe('paused')
})
