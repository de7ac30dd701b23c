import { request } from 'node:http'
import { describe, expect, onTestFinished, test } from 'vitest'
import { startQrNetwork } from './qr-network/start-qr-network.ts'
import { startTronDevnet } from './tron-devnet/start-tron-devnet.ts'

type Headers = Readonly<Record<string, string>>
type Asked = { readonly status: number; readonly text: string }

/** Sends exactly these headers, also those that `fetch` sets itself. */
function ask(url: string, method: string, headers: Headers, body?: string): Promise<Asked> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers, agent: false }, (answer) => {
      let text = ''
      answer.setEncoding('utf8')
      answer.on('data', (chunk: string) => (text += chunk))
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text }))
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

const json = { 'content-type': 'application/json' }

/** Headers that a page can send without a preflight, or after DNS rebinding. */
const fromPages: readonly (readonly [string, Headers, string])[] = [
  ['a form’s text', { 'content-type': 'text/plain', origin: 'https://page.example' }, 'BROWSER'],
  ['a form’s text without an origin', { 'content-type': 'text/plain' }, 'UNSUPPORTED_MEDIA_TYPE'],
  ['no content type', {}, 'UNSUPPORTED_MEDIA_TYPE'],
  ['a content type that begins like JSON', { 'content-type': 'application/json-form' }, 'UNSUPPORTED'],
  ['the origin null', { ...json, origin: 'null' }, 'BROWSER'],
  ['a page of the same site', { ...json, 'sec-fetch-site': 'same-origin' }, 'BROWSER'],
  ['a page of another site', { ...json, 'sec-fetch-site': 'cross-site' }, 'BROWSER'],
  ['a page’s own name', { ...json, host: 'page.example' }, 'HOST'],
  ['a page’s own name and port', { ...json, host: 'page.example:4005' }, 'HOST'],
  ['a name that begins like an address', { ...json, host: '127.0.0.1.page.example' }, 'HOST'],
  ['a name that begins like localhost', { ...json, host: 'localhost.page.example' }, 'HOST'],
  ['a broken host', { ...json, host: '[::1' }, 'HOST'],
]

describe('the QR network’s admin port', () => {
  const start = async () => {
    const network = await startQrNetwork({ token: 't', callbackSecret: 's' })
    onTestFinished(network.stop)
    return network
  }
  const balance = '{"available":"1.00"}'

  test.each(fromPages)('refuses %s', async (_, headers, code) => {
    const network = await start()
    const before = network.ledger('')
    const reply = await ask(`${network.adminUrl}/sim/balance`, 'POST', headers, balance)
    expect(reply.status).toBe(code.startsWith('UNSUPPORTED') ? 415 : 403)
    expect(reply.text).toContain(`"code":"${code}`)
    expect(network.ledger('')).toEqual(before)
  })

  test('has no effect for a request of a page without a body', async () => {
    const { adminUrl } = await start()
    for (const [method, path] of [
      ['GET', 'ledger'],
      ['DELETE', 'faults'],
    ] as const)
      for (const headers of [{ 'sec-fetch-site': 'none' }, { host: 'page.example' }])
        expect((await ask(`${adminUrl}/sim/${path}`, method, headers)).status).toBe(403)
    expect((await ask(`${adminUrl}/sim/reset`, 'POST', {})).status).toBe(415)
  })

  test.each(['localhost', 'localhost:4005', '127.0.0.1', '[::1]:4005', '192.168.1.7:80'])(
    'answers a program with Host %s',
    async (host) => {
      const { adminUrl, ledger } = await start()
      const headers = { host, 'content-type': 'Application/JSON; charset=utf-8' }
      expect((await ask(`${adminUrl}/sim/balance`, 'POST', headers, balance)).status).toBe(200)
      expect(ledger('').available).toBe('1.00')
      expect((await ask(`${adminUrl}/sim/ledger`, 'GET', { host })).status).toBe(200)
    },
  )
})

test('the Tron devnet’s admin port refuses a form’s text', async () => {
  const devnet = await startTronDevnet()
  onTestFinished(devnet.stop)
  const before = devnet.head().number
  expect((await ask(`${devnet.adminUrl}/dev/mine`, 'POST', { 'content-type': 'text/plain' }, '{}')).status).toBe(415)
  expect(devnet.head().number).toBe(before)
})

test('an admin port that is bound to a name accepts this name', async () => {
  const network = await startQrNetwork({ token: 't', callbackSecret: 's', host: 'localhost' })
  onTestFinished(network.stop)
  expect((await ask(`${network.adminUrl}/sim/ledger`, 'GET', {})).status).toBe(200)
})
