import { expect, test } from 'vitest'
import { startPair } from '../test/standby-pair.fixture.ts'
import { confirmRestore, readGate } from './restore.ts'

test('payments go on at a promoted standby that has what a process has written', async () => {
  const { pair, stores } = await startPair()
  expect((await stores.ping()).gate).toMatchObject({ halt: null, unchecked: null })
  await pair.primary.kill()
  await pair.promote()
  const promoted = pair.standby.urlFor('quipu')
  // One that remembers nothing does not vouch for it.
  expect(await readGate(promoted)).toMatchObject({ halt: null, unchecked: {} })
  pair.address.pointTo(pair.standby)
  await expect.poll(() => stores.ping().catch(String)).toMatchObject({ gate: { halt: null, unchecked: null } })
  expect(await confirmRestore(promoted, 'none', new Date())).toBe(false)
})
