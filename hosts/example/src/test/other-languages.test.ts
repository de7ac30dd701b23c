import { readFileSync } from 'node:fs'
import path from 'node:path'
import { signWebhook } from '@quipu/core'
import { freePort } from '@quipu/runtime'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestExample, testExample } from './example.fixture.ts'
import {
  failingProxy,
  isAtHand,
  type Language,
  languages,
  pay,
  receive,
} from './other-languages.fixture.ts'

const guide = readFileSync(
  path.resolve(import.meta.dirname, '../../../../docs/guides/other-languages.md'),
  'utf8',
)

let example: TestExample
beforeAll(async () => {
  example = await testExample()
})
afterAll(() => example.stop())

const atHand = languages.filter(isAtHand)
const missing = languages.filter((language) => !atHand.includes(language))

test.each(missing)('the samples in $name did not run here: $get', ({ name, variable, get }) => {
  const advice = `${get}, or set ${variable} to its program`
  // oxlint-disable-next-line no-console -- what did not run must be seen, though the test passes
  console.warn(`The samples of the guide in ${name} did not run. To run them, ${advice}.`)
  expect(guide).toContain(`| ${name} |`)
  // Where every language must be at hand, as before a release.
  expect(process.env['QUIPU_LANGUAGES'], advice).not.toBe('all')
})

describe.each(atHand)('the sample in $name', (language: Language) => {
  test('pays once when an answer is lost, and waits as long as a 503 says', async () => {
    const { key, get } = example.newKey()
    await using proxy = await failingProxy(example.url, '/v1/payouts', 3)

    const paid = await pay(language, proxy.url, key, ['MOCK:CLOSED:100.00', 'order-1'])

    expect(paid).toMatchObject({ code: 0, errors: '' })
    const { data } = await get('/v1/payouts')
    expect(data).toMatchObject([{ status: 'completed', transaction_id: 'order-1' }])
    expect(paid.output).toBe(`price 10.203353 USDT\ncompleted ${data[0].id}\n`)
    const [first, second, third] = proxy.requests
    expect([second?.body, third?.body]).toEqual([first?.body, first?.body])
    expect((third?.at ?? 0) - (second?.at ?? 0)).toBeGreaterThan(2_990)
  })

  test('ends with the code of a refusal', async () => {
    const { key } = example.newKey()
    const { code, output, errors } = await pay(language, example.url, key, ['MOCK:INVALID', 'x'])
    expect({ code, output }).toEqual({ code: 1, output: '' })
    expect(errors).toMatch(/422 .*QR_REFUSED/)
  })

  test('accepts signed events once, and nothing else', async () => {
    const port = await freePort()
    const url = `http://127.0.0.1:${port}/quipu`
    const key = example.newKey()
    const { id, secret } = (await key.post('/v1/webhooks', { url })).json
    await using receiver = await receive(language, port, ['whsec_older', secret])
    const send = async (body: string, signature?: string): Promise<number> => {
      const headers = { ...(signature !== undefined && { 'X-Service-Signature': signature }) }
      return (await fetch(url, { method: 'POST', headers, body })).status
    }
    const signed = (body: string, secrets: readonly string[], agoSeconds = 0): string =>
      signWebhook(secrets, Buffer.from(body), new Date(Date.now() - agoSeconds * 1000))

    expect((await key.post(`/v1/webhooks/${id}/test`)).json).toMatchObject({ status_code: 204 })
    const event = '{"id":"event-1","type":"payout.completed","data":{"merchant":"Doña Elvira 🥟"}}'
    const valid = signed(event, [secret])
    const rotating = signed(event, ['whsec_newer', secret])
    expect([await send(event, valid), await send(event, rotating)]).toEqual([204, 204])

    const refused = {
      unsigned: await send(event),
      empty: await send(event, ''),
      'of another secret': await send(event, signed(event, ['whsec_other'])),
      stale: await send(event, signed(event, [secret], 302)),
      'from the future': await send(event, signed(event, [secret], -302)),
      'of another body': await send(`${event} `, valid),
      'of another time': await send(
        event,
        valid.replace(/t=\d+/, `t=${Math.floor(Date.now() / 1000) - 9}`),
      ),
      'without a time': await send(event, valid.replace(/t=\d+,/, '')),
      'of two times': await send(event, `${valid},t=1`),
      'cut short': await send(event, valid.slice(0, -2)),
      'without a digest': await send(event, valid.replace(/v1=.*/, 'v1=')),
    }
    expect(new Set(Object.values(refused)), JSON.stringify(refused)).toEqual(new Set([400]))
    const lines = receiver.output().trim().split('\n')
    expect(lines).toEqual([expect.stringMatching(/^webhook\.test /), 'payout.completed event-1'])
  })
})
