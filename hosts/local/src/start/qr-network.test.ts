import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readArguments } from './arguments.ts'
import { networkOf } from './qr-network.ts'
import { StartRefusal } from './start-refusal.ts'

const read = (args: readonly string[]) => readArguments('start', { sqs: 'through an SQS' }, args)

test.each([
  [[], { network: undefined, sqs: false }],
  [['--sqs', '--network', 'openhub'], { network: 'openhub', sqs: true }],
  [['--', '--network=http'], { network: 'http', sqs: false }],
])('%j gives %j', (args, given) => {
  expect(read(args)).toEqual(given)
})

test.each([[['--network']], [['--network=']], [['--network', 'OpenHub']], [['--netwrok=http']], [['openhub']]])(
  '%j is refused',
  (args) => {
    expect(() => read(args)).toThrow(StartRefusal)
  },
)

test.each(['--help', '-h'])('%s lists every option', (flag) => {
  expect(read([flag])).toMatch(/pnpm@12 start \[options\][^]+--network [^]+--sqs +through an SQS/)
})

test('a data folder keeps to the network of its first start', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'quipu-network-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  expect(networkOf(folder, undefined)).toBe('http')
  expect(networkOf(folder, 'openhub')).toBe('openhub')
  await mkdir(path.join(folder, 'openhub'))
  expect(networkOf(folder, undefined)).toBe('openhub')
  expect(() => networkOf(folder, 'http')).toThrow(`${folder} pays at openhub, not http`)
})
