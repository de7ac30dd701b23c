import { expect, test } from 'vitest'
import { bannedWordBreaches } from './banned-words.ts'
import { breaches } from './house-rules.ts'

const core = 'packages/core/src/webhook/deliver.ts'

test.each([
  ['in lower case', '// the ladder of an endpoint', 'ladder', 'retry policy, retry delays'],
  ['in the plural', '// the ladders', 'ladders', 'retry policy, retry delays'],
  ['at the start of a name', 'const ladderSeconds = 5', 'ladder', 'retry policy'],
  ['at the end of a name', 'const retryLadder = [5]', 'Ladder', 'retry policy'],
  ['in a constant', 'const RETRY_LADDER = [5]', 'LADDER', 'retry policy'],
  ['of two words', '// deliveries to hand out', 'hand out', 'enqueue, queued'],
  ['of two words in a name', 'const handOutAll = 1', 'handOut', 'enqueue, queued'],
  ['of two words in a type', 'type HandedOut = 1', 'HandedOut', 'enqueue, queued'],
  ['of two words with an underscore', "'handed_out'", 'handed_out', 'enqueue, queued'],
  ['as a type', 'let found: Known', 'Known', 'StoredPayout'],
])('a word %s is caught', (_, line, word, instead) => {
  expect(bannedWordBreaches({ path: core, text: `first\n${line}\n` })).toEqual([
    expect.stringContaining(`${core}:2: instead of "${word}" write: ${instead}`),
  ])
})

test.each([
  'packages/postgres/migrations/0001-tables.sql',
  'docs/glossary.md',
  '.changeset/webhooks.md',
  'packages/core/package.json',
  'pnpm-workspace.yaml',
  'hosts/api/src/start-api.test.ts',
])('a word is caught in %s', (path) => {
  expect(bannedWordBreaches({ path, text: '-- a ladder' })).toEqual([
    `${path}:1: instead of "ladder" write: retry policy, retry delays`,
  ])
})

test('a word in the name of a file is caught', () => {
  const path = 'packages/core/src/webhook/ladder.ts'
  expect(bannedWordBreaches({ path, text: '' })).toEqual([
    `${path}: instead of "ladder" write: retry policy, retry delays`,
  ])
})

test.each([
  ['a longer word', core, '// a bladder, or Ladderback'],
  ['two other words', core, '// without standing out'],
  ['the setting of a fence in Markdown', 'hosts/local/src/test/documents/blocks.ts', '// a fence'],
  ['a recording', 'packages/tron/src/recorded/block.json', '"ladder"'],
])('%s is allowed', (_, path, text) => {
  expect(bannedWordBreaches({ path, text })).toEqual([])
})

test.each([
  [core, "kind: 'refuse'", 'insert_ended'],
  ['packages/postgres/migrations/0009-funding.sql', '  why text,', 'direction, reason, actor'],
  ['hosts/local/src/demo/demo.ts', 'const shop = 1', 'demo client'],
])('a name that is banned in %s only is caught there', (path, line, instead) => {
  expect(bannedWordBreaches({ path, text: line })).toEqual([expect.stringContaining(instead)])
  expect(bannedWordBreaches({ path: 'packages/tron/src/chain.ts', text: line })).toEqual([])
})

test('banned words are house rules', () => {
  expect(breaches([{ path: core, text: '// the ladder' }])).toEqual([
    `${core}:1: instead of "ladder" write: retry policy, retry delays`,
  ])
})
