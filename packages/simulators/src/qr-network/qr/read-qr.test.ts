import { expect, test } from 'vitest'
import { startFixture } from '../qr-network.fixture.ts'

const readOf = async ({ ask }: Awaited<ReturnType<typeof startFixture>>, content: string) =>
  ask('POST', '/v1/qr/read', { content, request_id: 'r1' })

test('each reading has its own network_ref', async () => {
  const fixture = await startFixture()
  const { content } = fixture.qr()
  const [one, two] = [await readOf(fixture, content), await readOf(fixture, content)]
  expect(one.body['network_ref']).not.toBe(two.body['network_ref'])
})

test('a QR can be read until it expires, 24 hours after its issue', async () => {
  const fixture = await startFixture()
  const { content, expires_at } = fixture.qr()
  expect(expires_at).toBe('2026-11-22T12:00:00.000Z')
  fixture.step(24 * 3_600_000 - 1)
  expect((await readOf(fixture, content)).status).toBe(200)
  fixture.step(1)
  expect((await readOf(fixture, content)).body['code']).toBe('QR_EXPIRED')
})

test('content of another network is refused with QR_INVALID', async () => {
  const fixture = await startFixture()
  const { content } = fixture.qr()
  const [block = '', serial = ''] = content.split('|')
  const bad = {
    'another serial': `${block}|5A0D${'0'.repeat(28)}`,
    'a lower-case serial': `${block}|${serial.toLowerCase()}`,
    'no serial': block,
    'a broken block': `${block.slice(0, 100)}!${block.slice(101)}|${serial}`,
    'a changed block': `${block.startsWith('A') ? 'B' : 'A'}${block.slice(1)}|${serial}`,
    'a short block': `${block.slice(4)}|${serial}`,
    'two bars': `${block}||${serial}`,
    'an EMV text': '00020101021229300012D156000000000510A93FO3230Q',
  }
  for (const [name, wrong] of Object.entries(bad)) {
    const { status, body } = await readOf(fixture, wrong)
    expect([name, status, body['code']]).toEqual([name, 422, 'QR_INVALID'])
  }
})

test.each([
  ['no content', { request_id: 'r1' }],
  ['empty content', { content: '', request_id: 'r1' }],
  ['content over 500 characters', { content: 'x'.repeat(501), request_id: 'r1' }],
  ['no request_id', { content: 'x' }],
  ['an unknown member', { content: 'x', request_id: 'r1', extra: 1 }],
])('reading with %s is a 400', async (_what, body) => {
  const { ask } = await startFixture()
  expect((await ask('POST', '/v1/qr/read', body)).status).toBe(400)
})
