import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { formatRate, type Rate, rate, Unavailable } from '@quipu/core'
import { rateSourceContract } from '@quipu/contracts'
import { expect, test } from 'vitest'
import { treasuryRate } from './own-adapter.ts'

async function openTreasury() {
  let clock = new Date('2026-11-21T12:00:00.000Z')
  const now = () => clock
  const advance = (ms: number) => void (clock = new Date(clock.getTime() + ms))
  const folder = await mkdtemp(path.join(tmpdir(), 'treasury-'))
  const file = path.join(folder, 'bid')
  const observe = (bid: Rate) => writeFile(file, `${formatRate(bid)} ${clock.toISOString()}`)
  await observe(rate(99_500n))
  const close = () => rm(folder, { recursive: true })
  return { source: treasuryRate(file, now), now, advance, observe, fail: () => rm(file), close }
}

rateSourceContract('of the treasury', openTreasury)

test.each([
  [180_000, 99_500n],
  [180_001, undefined],
])('a bid of %i ms ago is worth %s', async (ageMs, bid) => {
  const { source, advance, close } = await openTreasury()
  advance(ageMs)
  if (bid === undefined) await expect(source.current()).rejects.toThrow(Unavailable)
  else expect(await source.current()).toMatchObject({ bid, source: 'treasury' })
  await close()
})
