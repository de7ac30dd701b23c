import type { Alert } from '@quipu/core'
import { expect, test } from 'vitest'
import { unclaimedAlert } from './unclaimed-alert.ts'

const minuteMs = 60_000

test.each([
  ['one time is not alerted', [0], []],
  ['a second one within ten minutes is, once', [0, 10, 11, 20], [10]],
  ['a second one after ten minutes is not', [0, 10.01], []],
  ['it is alerted again after ten minutes without', [0, 1, 12, 13], [1, 13]],
])('%s', (_, minutes, expected) => {
  let now = 0
  const alerts: [number, Alert][] = []
  const raiseAlert = (alert: Alert) => void alerts.push([now / minuteMs, alert])
  const note = unclaimedAlert({ raiseAlert, monotonic: () => now }, 'https://sqs.example/1/wake')
  for (const minute of minutes) {
    now = minute * minuteMs
    note(3)
  }
  expect(alerts).toEqual(
    expected.map((minute) => [
      minute,
      expect.objectContaining({ code: 'QUEUE_UNCLAIMED', subject: 'https://sqs.example/1/wake' }),
    ]),
  )
})
