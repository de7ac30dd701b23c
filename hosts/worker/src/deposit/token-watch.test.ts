import { type Alert, Unavailable } from '@quipu/core'
import type { TokenState } from '@quipu/core/adapter'
import { expect, test } from 'vitest'
import { steppedTimer, turn } from '../loop/stepped-timer.fixture.ts'
import { tokenWatch } from './token-watch.ts'

test('each change of the token’s state is an alert, also one that lasts since before the start', async () => {
  const states: (TokenState | Error)[] = [
    'deprecated',
    'deprecated',
    new Unavailable('chain', 'gone'),
    'deprecated',
    'normal',
    'normal',
    'charges_fee',
    new Error('a bug'),
  ]
  const alerts: Alert[] = []
  const reports: string[] = []
  const { timer, pausesMs, pass } = steppedTimer()
  const loop = tokenWatch({
    reader: {
      tokenState: async () => {
        const next = states.shift() ?? 'charges_fee'
        if (next instanceof Error) throw next
        return next
      },
    },
    contract: 'T1',
    raiseAlert: (alert) => void alerts.push(alert),
    timer,
    report: (error) => void reports.push(String(error)),
  })
  while (states.length > 0) {
    await turn()
    pass()
  }
  await loop.stop()
  expect(alerts.map(({ code, subject, detail }) => [code, subject, detail])).toEqual([
    [
      'TOKEN_STATE_CHANGED',
      'T1',
      'the token’s contract was replaced by another contract, whose transfers are not seen (deprecated)',
    ],
    ['TOKEN_STATE_CHANGED', 'T1', 'the token’s contract moves as usual again (normal)'],
    ['TOKEN_STATE_CHANGED', 'T1', 'the token’s contract charges a fee for each transfer (charges_fee)'],
  ])
  expect(reports).toEqual(['Error: a bug'])
  expect(new Set(pausesMs)).toEqual(new Set([60_000]))
})
