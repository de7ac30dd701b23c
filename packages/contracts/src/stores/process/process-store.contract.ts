import { describe, expect, test } from 'vitest'
import type { RecordedProcess, ServiceProcess } from '@quipu/core/operator'
import { type OpenHarness, useWorld } from '../../fixtures/harness.ts'

const [day, minute] = [86_400, 60]

/** The contract of a `ProcessStore`. */
export function processStoreContract(name: string, open: OpenHarness<'processes'>): void {
  describe(`process store in ${name}`, () => {
    const w = useWorld(open, 'each')
    const newProcess = (program: ServiceProcess['program']): ServiceProcess => ({
      id: w.ids.next('prc', new Date(0)),
      program,
      host: 'máquina-1',
      aheadMs: -3,
    })
    const ages = ({ ageSeconds, steadySeconds, silentSeconds }: RecordedProcess) =>
      [ageSeconds, steadySeconds, silentSeconds].map(Math.round)

    test('a process is listed with its ages, and with the age of its stop', async () => {
      const { processes, advance } = w
      const [worker, api] = [newProcess('worker'), newProcess('api')]
      await processes.beat(worker)
      await advance(10)
      await processes.beat({ ...worker, aheadMs: 61_000 })
      await processes.beat(api)
      await advance(4)
      const found = await processes.list()
      expect(found).toMatchObject([api, { ...worker, aheadMs: 61_000 }])
      expect(found.map(ages)).toEqual([
        [4, 4, 4],
        [14, 14, 4],
      ])
      await processes.end(worker.id)
      await advance(3)
      await processes.end(worker.id)
      await processes.end('prc_unknown')
      const endedSeconds = async () => (await processes.list()).map(({ endedSeconds: ago }) => ago && Math.round(ago))
      expect(await endedSeconds()).toEqual([null, 3])
      // A heartbeat that was on its way does not bring it back.
      await processes.beat(worker)
      expect(await endedSeconds()).toEqual([null, 3])
    })

    test('a pause of more than 10 s between two heartbeats begins a new series', async () => {
      const { processes, advance } = w
      const worker = newProcess('worker')
      const listed = async () => (await processes.list()).map(ages)
      await processes.beat(worker)
      await advance(9)
      await processes.beat(worker)
      expect(await listed()).toEqual([[9, 9, 0]])
      await advance(11)
      await processes.beat(worker)
      expect(await listed()).toEqual([[20, 0, 0]])
    })

    test('the next heartbeat of any process forgets one that has been silent for a day', async () => {
      const { processes, advance } = w
      const [first, second] = [newProcess('worker'), newProcess('worker')]
      await processes.beat(first)
      await advance(day - minute)
      await processes.beat(second)
      expect(await processes.list()).toHaveLength(2)
      await advance(2 * minute)
      await processes.beat(second)
      expect(await processes.list()).toMatchObject([second])
    })
  })
}
