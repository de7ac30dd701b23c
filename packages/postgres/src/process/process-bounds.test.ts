import type { RecordedProcess, ServiceProcess } from '@quipu/core/operator'
import { expect, test } from 'vitest'
import { useStoreHarness } from '../test/stores.fixture.ts'

const harness = useStoreHarness({ clockOverride: () => now })
let now = new Date('2026-04-01T00:00:00.000Z')

const step = (ms: number): void => void (now = new Date(now.getTime() + ms))
const worker = (id: string): ServiceProcess => ({ id, program: 'worker', host: 'h', aheadMs: 0 })
const listed = (): Promise<readonly RecordedProcess[]> => harness.stores.processes.list()

test('a series of heartbeats ends after 10 s, and a process is forgotten after a day, not at it', async () => {
  const { processes } = harness.stores
  await processes.beat(worker('prc_1'))
  step(10_000)
  await processes.beat(worker('prc_1'))
  expect(await listed()).toMatchObject([{ id: 'prc_1', steadySeconds: 10 }])
  step(10_001)
  await processes.beat(worker('prc_1'))
  expect(await listed()).toMatchObject([{ id: 'prc_1', steadySeconds: 0 }])

  step(86_400_000)
  await processes.beat(worker('prc_2'))
  expect((await listed()).map(({ id }) => id)).toEqual(['prc_1', 'prc_2'])
  step(1)
  await processes.beat(worker('prc_2'))
  expect((await listed()).map(({ id }) => id)).toEqual(['prc_2'])
})
