import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { depositDelaySeconds } from './deposit/settle-deposit.ts'
import {
  processingAlertSeconds,
  operatorAfterSeconds,
  probeDelaySeconds,
  statusDelaySeconds,
} from './payout/schedule.ts'

const textOf = (file: string): string =>
  readFileSync(new URL(`../../../docs/${file}`, import.meta.url), 'utf8').replace(/\s+/g, ' ')

/** Seconds after the owner gave up at which a worker requests the status, while the delays grow. */
const requestedAt = [0, 1, 2, 3, 4].reduce<readonly number[]>(
  (all, asked) => [...all, (all.at(-1) ?? 0) + statusDelaySeconds(asked)],
  [],
)
const times = (last: string): string => `${requestedAt.slice(0, -1).join(', ')}${last}`
const [lastTime = 0] = requestedAt.slice(-1)
const everyMinutes = statusDelaySeconds(requestedAt.length) / 60
const probe = `every ${probeDelaySeconds(0)} to ${probeDelaySeconds(Infinity)} s`
const firstDeposits = [1, 2, 3].map(depositDelaySeconds).join(', ')
const minutes = processingAlertSeconds / 60
const hours = operatorAfterSeconds / 3600

test.each([
  ['states.md', `due for a worker in ${statusDelaySeconds(0)} s`],
  ['states.md', `${times(` and ${lastTime}`)} s after the owner gave up, then every ${everyMinutes} min`],
  ['states.md', `raised after ${minutes} min, another one that an operator must act after ${hours} h`],
  ['states.md', `without an answer ${probe}`],
  ['states.md', `after ${firstDeposits} s and so on, then every ${depositDelaySeconds(99) / 60} min`],
  ['operations/alerts.md', `at ${times(`, ${lastTime}`)} s, then every ${everyMinutes} minutes`],
  ['operations/alerts.md', `one of them ${probe}`],
  ['operations/alerts.md', `in \`processing\` for more than ${minutes} minutes`],
  ['operations/alerts.md', `in \`processing\` for more than ${hours} hours`],
  ['operations/alerts.md', `| ${minutes} minutes and the delay`],
  ['operations/alerts.yaml', `payouts_processing_oldest_seconds) > ${processingAlertSeconds} `],
])('docs/%s repeats the schedule of the code: %s', (file, phrase) => {
  expect(textOf(file)).toContain(phrase)
})
