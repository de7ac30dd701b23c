import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { text as readText } from 'node:stream/consumers'
import { defaultToleranceSeconds, signWebhook } from '@quipu/core'
import { freePort } from '@quipu/runtime'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestExample, testExample } from './example.fixture.ts'
import {
  compiled,
  failingProxy,
  type Fault,
  isAtHand,
  type Language,
  languages,
  pay,
  receive,
} from './other-languages.fixture.ts'

const guide = readFileSync(path.resolve(import.meta.dirname, '../../../../docs/guides/other-languages.md'), 'utf8')

let example: TestExample
beforeAll(async () => {
  example = await testExample()
})
afterAll(() => example.stop())

const html = '<html>No answer of the service</html>'
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

for (const language of atHand) {
  const tags = language.startsSlowly ? ['long'] : []
  describe(`the sample in ${language.name}`, { tags }, () => {
    sampleTests(language)
  })
}

function sampleTests(ofGuide: Language): void {
  let documented: Language
  let language: Language
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'quipu-samples-'))
    // PHP remembers events there, and Go leaves what it builds when it is killed.
    documented = { ...ofGuide, temporary: folder }
    language = await compiled(documented, folder)
  })
  afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 20 }))

  test('waits as long as a 503 says', async () => {
    const { key } = example.newKey()
    await using proxy = await failingProxy(example.url, '/v1/payouts', [{ status: 503, body: '{}', after: '3' }])
    const paid = await pay(documented, proxy.url, key, ['MOCK:CLOSED:100.00', 'order-1'])
    expect(paid).toMatchObject({ code: 0, errors: '' })
    const [first, second] = proxy.requests
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThan(2_990)
  })

  test.concurrent.each<[string, readonly Fault[]]>([
    [
      'lost, or not of the service',
      [
        'lost',
        { status: 500, body: '{"error":{"code":"INTERNAL_ERROR","message":"No."}}' },
        { status: 502, body: html },
        { status: 504, body: html },
        { status: 408 },
        { status: 429, body: html },
      ],
    ],
    // Their waits are those of the sample: the first ones are short.
    ['a success without the payout', ['cut', { status: 200, body: html }, { status: 201 }]],
    [
      'of any other kind',
      [
        { status: 503, body: html, after: new Date(Date.now() + 1_000).toUTCString() },
        { status: 503, after: '9'.repeat(5_000) },
        { status: 201, body: '{}' },
        { status: 304 },
      ],
    ],
  ])('pays once when answers are %s', async (_, faults) => {
    const { key, get } = example.newKey()
    await using proxy = await failingProxy(example.url, '/v1/payouts', faults)

    const paid = await pay(language, proxy.url, key, ['MOCK:CLOSED:100.00', 'order-1'])

    expect(paid).toMatchObject({ code: 0, errors: '' })
    const { data } = await get('/v1/payouts')
    expect(data).toMatchObject([{ status: 'completed', transaction_id: 'order-1' }])
    expect(paid.output).toBe(`price 10.203353 USDT\ncompleted ${data[0].id}\n`)
    expect(proxy.requests).toHaveLength(faults.length + 1)
    expect(new Set(proxy.requests.map(({ body }) => body)).size).toBe(1)
  })

  test('says that the outcome is unknown when no answer of the service arrives', async () => {
    const { key } = example.newKey()
    const faults = Array.from({ length: 8 }, () => ({ status: 502, body: '{}' }))
    await using proxy = await failingProxy(example.url, '/v1/payouts', faults)
    const { code, errors } = await pay(language, proxy.url, key, ['MOCK:CLOSED:9.00', 'order-1'])
    expect({ code, errors }).toEqual({ code: 1, errors: expect.stringContaining('is unknown') })
    expect(proxy.requests).toHaveLength(8)
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
    await using receiver = await receive(documented, port, `whsec_older,${secret}`)
    const send = async (body: string, signature?: string): Promise<number> => {
      const headers = { ...(signature !== undefined && { 'X-Service-Signature': signature }) }
      return (await fetch(url, { method: 'POST', headers, body })).status
    }
    const signed = (body: string, secrets: readonly string[], agoSeconds = 0): string =>
      signWebhook(secrets, Buffer.from(body), new Date(Date.now() - agoSeconds * 1000))

    expect((await key.post(`/v1/webhooks/${id}/test`)).json).toMatchObject({ status_code: 204 })
    const eventId = randomUUID()
    const event = `{"id":"${eventId}","type":"payout.completed","data":{"merchant":"Doña Elvira 🥟"}}`
    const valid = signed(event, [secret])
    const rotating = signed(event, ['whsec_newer', secret])
    const last = signed(event, [secret], defaultToleranceSeconds - 2)
    const accepted = {
      valid: await send(event, valid),
      rotating: await send(event, rotating),
      last: await send(event, last),
    }
    expect(accepted).toEqual({ valid: 204, rotating: 204, last: 204 })

    const refused = {
      unsigned: await send(event),
      empty: await send(event, ''),
      'of another secret': await send(event, signed(event, ['whsec_other'])),
      stale: await send(event, signed(event, [secret], defaultToleranceSeconds + 2)),
      'from the future': await send(event, signed(event, [secret], -defaultToleranceSeconds - 2)),
      'of another body': await send(`${event} `, valid),
      'of another time': await send(event, valid.replace(/t=\d+/, `t=${Math.floor(Date.now() / 1000) - 9}`)),
      'without a time': await send(event, valid.replace(/t=\d+,/, '')),
      'of two times': await send(event, `${valid},t=1`),
      'cut short': await send(event, valid.slice(0, -2)),
      'without a digest': await send(event, valid.replace(/v1=.*/, 'v1=')),
      'of a time of 5,000 digits': await send(event, `t=${'9'.repeat(5_000)},v1=00`),
      'of a time in other digits': await send(event, valid.replace(/t=\d/, 't=+')),
    }
    expect(new Set(Object.values(refused)), JSON.stringify(refused)).toEqual(new Set([400]))
    const lines = receiver.output().trim().split('\n')
    expect(lines).toEqual([expect.stringMatching(/^webhook\.test /), `payout.completed ${eventId}`])
  })

  test.each([
    ['not set', undefined],
    ['empty', ''],
    ['a list that ends with a comma', 'whsec_abc,'],
    ['a list with a blank', ' ,whsec_abc'],
  ])('receives nothing when the secret is %s', async (_, secrets) => {
    const port = await freePort()
    const started = await receive(language, port, secrets).catch((error: unknown) => error as Error)
    if (started instanceof Error) {
      expect(started.message).toContain('QUIPU_WEBHOOK_SECRET has an empty secret')
      return
    }
    // PHP reads the script for each request.
    await using receiver = started
    const event = '{"id":"event-1","type":"payout.completed"}'
    const forged = await Promise.all(
      ['', ' '].map(async (secret) => {
        const signature = signWebhook([secret], Buffer.from(event), new Date())
        const headers = { 'X-Service-Signature': signature }
        const sent = { method: 'POST', headers, body: event }
        return (await fetch(`http://127.0.0.1:${port}/`, sent)).status
      }),
    )
    expect(forged).toEqual([500, 500])
    // The log of the process may arrive after its answers.
    await expect.poll(() => receiver.errors()).toContain('QUIPU_WEBHOOK_SECRET has an empty secret')
  })

  test('ends a request whose body has no length, or a length that is none', async () => {
    const port = await freePort()
    await using _receiver = await receive(language, port, 'whsec_abc')
    const lengths = ['-1', 'x', '9'.repeat(5_000)]
    const sent = lengths.map(async (each) => statusOf(port, `Content-Length: ${each}\r\n\r\n`))
    for (const status of await Promise.all(sent)) expect([0, 400]).toContain(status)
    const chunk = '{"id":"event-2","type":"payout.completed"}'
    const chunked = `Transfer-Encoding: chunked\r\n\r\n${chunk.length.toString(16)}\r\n${chunk}\r\n0\r\n\r\n`
    expect(await statusOf(port, chunked)).toBe(400)
  })
}

/** The status of the answer to a request of these bytes after its first line; 0 when there is none. */
async function statusOf(port: number, rest: string): Promise<number> {
  const socket = connect(port, '127.0.0.1')
  socket.write(`POST /quipu HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n${rest}`)
  const answer = await readText(socket)
  return Number(/^HTTP\/1\.[01] (\d{3})/.exec(answer)?.[1] ?? 0)
}
