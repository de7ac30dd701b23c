import { Unavailable } from '@quipu/core'
import type { QueueAttributes } from '@quipu/sqs'
import { expect, test } from 'vitest'
import { checkQueue } from './check-queue.ts'

const urls = { SQS_QUEUE_URL: 'https://sqs.example/1/wake', SQS_DEAD_LETTER_URL: 'https://sqs.example/1/dead' }
const dead = { arn: 'arn:dead', messages: 0, delaySeconds: 0, isFifo: false, deadLetterArn: undefined }
const wake = { arn: 'arn:wake', messages: 3, delaySeconds: 0, isFifo: false, deadLetterArn: 'arn:dead' }

/** The failed checks, as check, status and detail. */
async function faultsOf(change: Partial<QueueAttributes>, letters: Partial<QueueAttributes> = {}) {
  const findings = await checkQueue(urls, async (url) =>
    url.endsWith('wake') ? Object.assign({}, wake, change) : Object.assign({}, dead, letters),
  )
  return findings.filter(({ status }) => status !== 'ok').map(({ check, status, detail }) => [check, status, detail])
}

test('a queue that hands messages over at once, with the dead letters of the setting, is right', async () => {
  expect(await faultsOf({})).toEqual([])
})

test.each<[string, Partial<QueueAttributes>, Partial<QueueAttributes>, readonly [string, string, RegExp]]>([
  ['a delay', { delaySeconds: 900 }, {}, ['queue.delay', 'fail', /DelaySeconds is 900/]],
  ['a FIFO queue', { isFifo: true }, {}, ['queue.type', 'fail', /FIFO/]],
  ['no redrive policy', { deadLetterArn: undefined }, {}, ['queue.redrive', 'warn', /no RedrivePolicy/]],
  ['other dead letters', {}, { arn: 'arn:other' }, ['queue.redrive', 'fail', /names arn:dead, not arn:other/]],
  ['dead letters', {}, { messages: 2 }, ['queue.dead_letters', 'warn', /about 2/]],
])('finds %s', async (_, queue, letters, [check, status, detail]) => {
  expect(await faultsOf(queue, letters)).toEqual([[check, status, expect.stringMatching(detail)]])
})

test('dead letters that cannot be read leave the queue to be checked by itself', async () => {
  const findings = await checkQueue(urls, async (url) => {
    if (url.endsWith('dead')) throw new Unavailable('queue', 'gone')
    return Object.assign({}, wake, { delaySeconds: 5 })
  })
  expect(findings.map(({ check, status }) => `${check} ${status}`)).toEqual([
    'queue ok',
    'queue.delay fail',
    'queue.dead_letters fail',
  ])
})
