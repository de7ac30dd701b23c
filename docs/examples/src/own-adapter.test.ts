import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Unavailable } from '@quipu/core'
import { rateSourceContract } from '@quipu/contracts'
import { expect, test } from 'vitest'
import { treasuryRate } from './own-adapter.ts'

const noon = new Date('2026-11-21T12:00:00.000Z')

async function openTreasury(at: Date = noon) {
  const folder = await mkdtemp(path.join(tmpdir(), 'treasury-'))
  const file = path.join(folder, 'bid')
  await writeFile(file, `9.9500 ${at.toISOString()}`)
  const close = () => rm(folder, { recursive: true })
  return { source: treasuryRate(file, () => noon), fail: () => rm(file), close }
}

rateSourceContract('of the treasury', openTreasury)

test.each([
  [180_000, 99_500n],
  [180_001, undefined],
])('a bid of %i ms ago is worth %s', async (ageMs, bid) => {
  const { source, close } = await openTreasury(new Date(noon.getTime() - ageMs))
  if (bid === undefined) await expect(source.current()).rejects.toThrow(Unavailable)
  else expect(await source.current()).toMatchObject({ bid, source: 'treasury' })
  await close()
})
