import { createHmac } from 'node:crypto'
import { testSignInKeys } from '@quipu/contracts'
import { expect, test } from 'vitest'
import { useStoreHarness } from '../test/stores.fixture.ts'

const harness = useStoreHarness()
const hmac = (key: Uint8Array, message: string) => createHmac('sha256', key).update(message).digest('hex')

test('the HMAC of the database is the one of the processes, with the stored key alone', async () => {
  for (const message of ['', 'sign_in\nana ñ', 'x'.repeat(500)]) {
    const key = Buffer.from(Array.from({ length: 32 }, (_, n) => (n * 37 + 11) % 256))
    const [row] = await harness.sql('select quipu.hmac_sha256($1, $2) as mac', [key, message])
    expect(row?.['mac']).toBe(hmac(key, message))
  }
  const signed = async (mac: string) => (await harness.sql(`select quipu.is_signed('m', $1) as it`, [mac]))[0]?.['it']
  const [{ id, key }] = testSignInKeys
  const right = hmac(key, 'm')
  expect(await signed(`${id}.${right}`)).toBe(true)
  for (const wrong of ['', id, `${id}.`, `2.${right}`, `${id}.${right}0`, hmac(key, 'm'), `${id}.${'0'.repeat(64)}`])
    expect(await signed(wrong), wrong).toBe(false)
})
