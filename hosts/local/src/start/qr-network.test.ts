import { expect, test } from 'vitest'
import { networkNamed } from './qr-network.ts'
import { StartRefusal } from './start-refusal.ts'

test.each([
  [[], 'http'],
  [['--sqs', '--network', 'openhub'], 'openhub'],
  [['--network=http'], 'http'],
])('%j starts the network %s', (args, name) => {
  expect(networkNamed(args)).toBe(name)
})

test.each([[['--network']], [['--network=']], [['--network', 'OpenHub']]])('%j is refused', (args) => {
  expect(() => networkNamed(args)).toThrow(StartRefusal)
})
