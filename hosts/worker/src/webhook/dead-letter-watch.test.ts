import { type Alert, Unavailable } from '@quipu/core'
import { expect, test } from 'vitest'
import { deadLetterWatch } from './dead-letter-watch.ts'
import { steppedTimer, turn } from '../loop/stepped-timer.fixture.ts'

test('raises an alert when the count has grown, and none while it stays the same', async () => {
  const found = [0, 2, 2, new Unavailable('queue', 'gone'), 3, 0, 1]
  const alerts: Alert[] = []
  const reports: unknown[] = []
  const { timer, pass } = steppedTimer()
  const watch = deadLetterWatch(
    {
      count: async () => {
        const next = found.shift() ?? 0
        if (next instanceof Error) throw next
        return next
      },
      raiseAlert: (alert) => void alerts.push(alert),
      timer,
      report: (error) => void reports.push(error),
    },
    'https://sqs.example/dead',
  )
  while (found.length > 0) {
    await turn()
    pass()
  }
  await turn()
  await watch.stop()
  expect(alerts.map(({ detail }) => Number.parseInt(detail, 10))).toEqual([2, 3, 1])
  expect(alerts[0]).toMatchObject({ code: 'DEAD_LETTERS', subject: 'https://sqs.example/dead' })
  expect(reports).toHaveLength(1)
})
