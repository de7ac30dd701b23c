import { expect, test } from 'vitest'
import { findPrograms } from '../patroni/programs.ts'
import { temporaryFolder } from '../run/temporary-folder.ts'
import { runPatroni, sample } from './patroni-failover.ts'

test('a Patroni cluster fails over under load and loses nothing, where its programs are installed', async () => {
  const programs = findPrograms()
  if (!('patroni' in programs)) {
    console.warn(['Fail-overs under Patroni are not tested here.', ...programs].join('\n'))
    for (const line of programs) expect(line).toMatch(/^.+ is not installed: .+/)
    return
  }
  await using folder = await temporaryFolder('patroni-test')
  const options = { runs: 1, seed: 1, faults: ['kill-postgres'] as const, isRestored: false, scale: sample }
  const { failures, result } = await runPatroni(options, { say: () => undefined, out: folder.path })
  expect(failures).toEqual([])
  expect(result).toMatchObject({ steps: 1, promotions: 1 })
})
