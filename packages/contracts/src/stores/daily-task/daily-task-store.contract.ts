import { describe, expect, test } from 'vitest'
import { type DailyTask, type DailyTaskClaim, doDaily } from '@quipu/core/operator'
import { type OpenHarness, useWorld } from '../../fixtures/harness.ts'

const leaseSeconds = 30

/** The contract of a `DailyTaskStore`. */
export function dailyTaskStoreContract(name: string, open: OpenHarness<'dailyTasks' | 'operatorAlerts'>): void {
  describe(`daily tasks in ${name}`, () => {
    const w = useWorld(open, 'each')
    const nov = (day: number) => `2026-11-${String(day).padStart(2, '0')}`
    const claimer =
      ({ dailyTasks }: typeof w, task: DailyTask = 'digest', missedDays = 0) =>
      (day: number) =>
        dailyTasks.claim({ task, day: nov(day), missedDays, leaseSeconds })

    test('a day is claimed by one, until it is done, and never again', async () => {
      const claimDay = claimer(w)
      const [first, ...others] = (await Promise.all([claimDay(20), claimDay(20), claimDay(20)])).filter(Boolean)
      expect(others).toEqual([])
      await w.advance(leaseSeconds + 1)
      const second = (await claimDay(20)) ?? expect.fail('no claim')
      expect(second).toMatchObject({ day: nov(20), failedAttempts: 0 })
      const ends: ((ended: DailyTaskClaim) => Promise<string>)[] = [
        w.dailyTasks.accept,
        (ended) => w.dailyTasks.retry(ended, 0),
      ]
      for (const end of ends) expect(await end(first?.claim ?? expect.fail('no claim'))).toBe('stale')
      expect(await w.dailyTasks.retry(second.claim, 20_000)).toBe('committed')
      expect(await claimDay(20)).toBeUndefined()
      await w.advance(21)
      const third = (await claimDay(20)) ?? expect.fail('no claim')
      expect(third.failedAttempts).toBe(1)
      expect(await w.dailyTasks.accept(third.claim)).toBe('committed')
      expect((await w.operatorAlerts.sent()).digestDay).toBe(nov(20))
      for (const day of [19, 20]) expect(await claimDay(day)).toBeUndefined()
      expect(await claimDay(21)).toMatchObject({ failedAttempts: 0 })
      expect(await claimer(w, 'report_check')(20)).toMatchObject({ day: nov(20), claim: { task: 'report_check' } })
    })

    test('days that nobody did follow each other up to the bound', async () => {
      const claimDay = claimer(w, 'report_check', 3)
      const days: (string | undefined)[] = []
      for (const day of [10, 12, 12, 12, 20, 20, 20, 20, 20]) {
        const claimed = await claimDay(day)
        days.push(claimed?.day)
        if (claimed) expect(await w.dailyTasks.accept(claimed.claim)).toBe('committed')
      }
      expect(days).toEqual([10, 11, 12, 0, 17, 18, 19, 20, 0].map((day) => (day === 0 ? undefined : nov(day))))
    })

    test('two workers do a task once a day; what failed or was cut off is done again', async () => {
      const [ran, faults]: [string[], Error[]] = [[], [new Error('the network is away')]]
      let now = new Date('2026-11-20T01:00:00Z')
      const run = async (day: string) => {
        ran.push(day)
        const fault = faults.pop()
        if (fault) throw fault
      }
      const worker = () =>
        doDaily(
          { dailyTasks: w.dailyTasks, now: () => now, run },
          { task: 'screening_tenants', dueSeconds: 0, missedDays: 0 },
        )
      const [one, two] = [worker(), worker()]
      await expect(one()).rejects.toThrow('the network is away')
      expect(await two()).toBeUndefined()
      await w.advance(61)
      const results = await Promise.all([one(), two()])
      expect(results.flatMap((done) => done?.result ?? [])).toEqual(['committed'])
      await w.dailyTasks.claim({ task: 'screening_tenants', day: nov(21), missedDays: 0, leaseSeconds })
      now = new Date('2026-11-21T01:00:00Z')
      expect(await two()).toBeUndefined()
      await w.advance(leaseSeconds + 1)
      expect(await two()).toMatchObject({ day: nov(21), result: 'committed' })
      expect(ran).toEqual([nov(20), nov(20), nov(21)])
    })
  })
}
