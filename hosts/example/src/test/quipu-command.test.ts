import { version } from '@quipu/client'
import { execFile } from 'node:child_process'
import { chmod, readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Json, type TestExample, testExample, until } from './example.fixture.ts'
import { type Ended, type InstalledCommand, installCommand } from './quipu-command.fixture.ts'
import { startReceiver } from './receiver.fixture.ts'

let example: TestExample
let command: InstalledCommand
const opened = new AsyncDisposableStack()
beforeAll(async () => {
  example = await testExample()
  opened.defer(() => example.stop())
  command = opened.use(await installCommand())
})
afterAll(() => opened.disposeAsync())

/** The commands of a new key, which is in the environment. */
function user(url = example.url) {
  const { key, ...client } = example.newKey()
  const env = { QUIPU_API_URL: url, QUIPU_API_KEY: key }
  return {
    ...client,
    key,
    env,
    quipu: (...args: readonly string[]): Promise<Ended> => command.run(args, { env }),
    start: (...args: readonly string[]) => command.start(args, { env }),
    async json(...args: readonly string[]): Promise<Json> {
      const { code, out, error } = await command.run([...args, '--json'], { env })
      if (code !== 0) throw new Error(`quipu ${args.join(' ')} ended with ${code}: ${error}`)
      return JSON.parse(out)
    },
  }
}

describe('login', () => {
  test('stores a key for its user alone, and nothing shows it again', async () => {
    const { key } = example.newKey()
    const args = ['login', '--url', `${example.url}/`, '--profile', 'mine', '--key-stdin']
    const secret = `${key}_0123456789abcdef`
    const login = await command.run(args, { input: `${secret}\n` })
    expect(login).toMatchObject({ code: 0, error: 'Logged in.\n' })
    expect(login.out).toMatch(/key +qpu_mock_…cdef\n/)
    expect(login.out).not.toContain(secret)

    const file = path.join(command.home, '.config', 'quipu', 'profiles.json')
    const modes = await Promise.all([file, path.dirname(file)].map(async (each) => stat(each)))
    expect(modes.map(({ mode }) => (mode & 0o777).toString(8))).toEqual(['600', '700'])
    const stored = { current: 'mine', profiles: { mine: { url: example.url, key: secret } } }
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual(stored)

    const status = await command.run(['status'])
    expect(status.out).toMatch(/source +profile mine\n/)
    expect(status.out).toMatch(
      /service +ready\nquotes +available\npayments +available\ndeposits +on_time\navailable +1000\.000000 USDT\n/,
    )
    expect((await command.run(['profiles'])).out).toMatch(/mine +http\S+ +qpu_mock_…cdef +example +true\n/)

    await chmod(file, 0o644)
    expect(await command.run(['balance'])).toMatchObject({
      code: 2,
      error: `${file} has keys and can be read by others: chmod 600 ${file}\n`,
    })
    await chmod(file, 0o600)
    expect((await command.run(['logout'])).code).toBe(0)
    expect(await readFile(file, 'utf8')).not.toContain(secret)
  })

  test('refuses a key that the service refuses, and an unencrypted service', async () => {
    const login = (url: string) =>
      command.run(['login', '--url', url, '--profile', 'no', '--key-stdin'], { input: 'qpu_live_x' })
    expect(await login(example.url)).toMatchObject({
      code: 1,
      error: expect.stringMatching(/^AUTHENTICATION_FAILED: .*\n  What to do: http\S+#error-AUTHENTICATION_FAILED\n$/),
    })
    expect(await login('http://quipu.example')).toMatchObject({
      code: 2,
      error: expect.stringContaining('would carry the API key unencrypted'),
    })
    expect((await command.run(['profiles'])).out).not.toContain('no ')
  })

  test('asks nobody without a terminal', async () => {
    const { code, error } = await command.run(['login', '--url', example.url])
    expect({ code, error }).toEqual({ code: 2, error: expect.stringContaining('--key-stdin') })
  })
})

describe('pay', () => {
  test('shows the price, pays, and repeats without paying again', async () => {
    const { quipu, available } = user()
    const args = ['pay', 'MOCK:CLOSED:100.00', '--transaction-id', 'order-1', '--yes']
    const first = await quipu(...args)
    expect(first).toMatchObject({ code: 0, out: expect.stringMatching(/status +completed\n/) })
    expect(first.error).toContain('You pay      10.203353 USDT, at 9.8007 BOB per USDT')
    const second = await quipu(...args)
    expect(second).toMatchObject({ code: 0, out: first.out })
    expect(second.error).toContain('order-1 is the transaction id of an earlier payout')
    expect(await available()).toBe('989.796647')
    expect((await quipu(...args, '--amount', '100')).code).toBe(0)
    const other = await quipu(...args, '--amount', '99.00')
    expect(other).toMatchObject({ code: 1, error: expect.stringContaining('choose another id') })
  })

  test.each([
    ['of another amount', 'MOCK:CLOSED:6.00', []],
    ['with another description', 'MOCK:CLOSED:5.00', ['--description', 'Lunch']],
    ['of a QR that the network refuses', 'MOCK:INVALID', []],
  ])('a used id never says that a QR %s was paid', async (_, content, more) => {
    const { quipu, available } = user()
    const args = ['--transaction-id', 'order-1', '--yes', ...more] as const
    expect((await quipu('pay', 'MOCK:CLOSED:5.00', '--transaction-id', 'order-1', '--yes')).code).toBe(0)
    const before = await available()
    expect(await quipu('pay', content, ...args)).toMatchObject({
      code: 1,
      out: '',
      error: expect.stringContaining('another payment, of 5.00 BOB. Nothing was paid'),
    })
    expect(await available()).toBe(before)
  })

  test('ends with the code of the outcome', async () => {
    const { quipu } = user()
    const [failed, unreadable, unasked] = await Promise.all([
      quipu('pay', 'MOCK:FAIL:10.00', '--yes'),
      quipu('pay', 'MOCK:INVALID', '--yes'),
      quipu('pay', 'MOCK:CLOSED:10.00'),
    ])
    expect(failed.code).toBe(1)
    expect(failed.error).toMatch(/PAYMENT_FAILED: .* Nothing was debited\.\n$/)
    expect(unreadable.code).toBe(1)
    expect(unreadable.error).toMatch(/^QR_REFUSED: /)
    expect(unasked).toMatchObject({ code: 2, error: expect.stringContaining('add --yes') })
  })

  test('is prepared by a test QR, its reading and a quote', async () => {
    const { quipu, json } = user()
    const { out } = await quipu('test-qr', '25.00')
    const [read, quote] = await Promise.all([json('resolve', out.trim()), json('quote', '--qr', out.trim())])
    expect(read).toMatchObject({ amount_mode: 'closed', amount: { amount: '25.00' } })
    expect(quote).toMatchObject({ target: { amount: '25.00' }, source: { currency: 'USDT' } })
    const faulty = await quipu('quote', '--amount', '1.001')
    expect(faulty.code).toBe(1)
    expect(faulty.error).toMatch(/^VALIDATION_FAILED: .*\n  --amount: target\.amount .*\n  What to do: /)
    expect((await quipu('threshold', '-1')).error).toContain('\n  threshold: low_balance_threshold must be')
  })
})

describe('lists', () => {
  test('are tables, and with --json what the API answered', async () => {
    const { quipu, json, pay, get } = user()
    await pay('MOCK:CLOSED:100.00')
    await pay('MOCK:FAIL:100.00')
    const [payouts, failed, events, all] = await Promise.all([
      quipu('payouts'),
      quipu('payouts', '--status', 'failed'),
      quipu('events', '--type', 'payout.completed'),
      json('payouts', '--limit', '1', '--all'),
    ])
    expect(payouts.out.split('\n')[0]).toMatch(/^ID +TRANSACTION_ID +STATUS +TARGET +SOURCE +ERROR\.CODE/)
    expect(payouts.out).toMatch(/ completed +100\.00 BOB +10\.203353 USDT +– /)
    expect(failed.out).toMatch(/ failed +100\.00 BOB +– +PAYMENT_FAILED /)
    expect(failed.out).not.toContain('completed')
    expect(events.out).toMatch(/ payout\.completed +po_\S+ +\S+ +completed /)
    expect(all).toEqual({ ...(await get('/v1/payouts')), next_cursor: null })
    const [{ id }] = all.data
    expect(await json('payouts', 'get', id)).toEqual(all.data[0])
    expect(await quipu('deposits')).toMatchObject({ code: 0, error: 'There is none.\n' })
  })

  test('an event is sent again to the endpoint that it was for', async () => {
    const { quipu, json, post, pay } = user()
    const receiver = await startReceiver()
    const url = receiver.urlAt('127.0.0.1', '/quipu')
    await post('/v1/webhooks', { url })
    await pay('MOCK:CLOSED:100.00')
    await receiver.until(1)
    const { data } = await json('events')
    const [{ id }] = data
    await until(
      () => json('events', 'resend', id),
      (sent) => sent.data.length === 1,
    )
    await receiver.until(2)
    const bodies = receiver.received.map(({ body }) => JSON.parse(Buffer.from(body).toString()).id)
    expect(new Set(bodies)).toEqual(new Set([id]))
    await receiver.stop()
    expect(await quipu('trigger', 'webhook.test')).toMatchObject({
      code: 1,
      out: expect.stringContaining('CONNECTION_REFUSED'),
    })
  })
})

test('trigger says what it cannot do, and why', async () => {
  const { quipu } = user()
  const live = { QUIPU_API_URL: example.url, QUIPU_API_KEY: 'qpu_live_x' }
  const [race, unknown, production, unregistered] = await Promise.all([
    quipu('trigger', 'payout.cancelled.QUOTE_EXPIRED'),
    quipu('trigger', 'payout.paid'),
    command.run(['trigger', 'payout.failed'], { env: live }),
    quipu('trigger', 'webhook.test'),
  ])
  expect(race).toMatchObject({ code: 2, error: expect.stringContaining('scenario short_quote') })
  expect(unknown).toMatchObject({ code: 2, error: expect.stringContaining('  deposit.in_review ') })
  expect(production).toMatchObject({ code: 2, error: expect.stringContaining('In production') })
  expect(unregistered).toMatchObject({ code: 1, error: expect.stringContaining('quipu listen') })
})

describe('the rest', () => {
  test('balance and statement', async () => {
    const { quipu, json, pay } = user()
    await pay('MOCK:CLOSED:100.00')
    const day = example.realNow().toISOString().slice(0, 10)
    const [balance, csv, month, whole, refused, noDate] = await Promise.all([
      quipu('balance'),
      quipu('statement', day),
      quipu('statement', day.slice(0, 7), '--timezone', 'America/La_Paz'),
      json('statement', day),
      quipu('statement', '2020-01-01'),
      quipu('statement', 'november'),
    ])
    expect(balance.out).toMatch(/available +989\.796647\n/)
    expect(csv.out).toMatch(/^record,[^]*\nopening,[^]*\ntransaction,[^]*\nclosing,[^\n]*\n$/)
    expect(month.out).toMatch(/\nopening,\d{4}-\d\d-01T00:00:00\.000-04:00,[^]*\nclosing,[^\n]*,open\r\n$/)
    expect(noDate).toMatchObject({ code: 2, error: expect.stringContaining('neither a month such as 2026-11') })
    expect(whole).toMatchObject({ period: day, next_cursor: null, closing_balance: '989.796647' })
    expect(refused).toMatchObject({ code: 1, error: expect.stringMatching(/^STATEMENT_NOT_FOUND: /) })
  })

  test('keys shows the key of the profile by its last characters', async () => {
    const { key, quipu, json } = user()
    const { out } = await quipu('keys')
    expect(out).toMatch(new RegExp(`^ID .*\\nkey_.* example +${key.slice(-4)} +active `))
    expect(out).not.toContain(key)
    const { data, next_cursor } = await json('keys', '--all')
    expect([data.length, next_cursor]).toEqual([1, null])
  })

  test('keys rotate shows the new key once, and keys revoke ends the old one', async () => {
    const { json, quipu } = user()
    const [{ id }] = (await json('keys')).data
    const next = await json('keys', 'rotate', id, '--overlap-seconds', '600')
    expect(next).toMatchObject({ key: expect.stringMatching(/^qpu_mock_[0-9a-f]{40}$/), replaces: id })
    const env = { QUIPU_API_URL: example.url, QUIPU_API_KEY: next.key }
    const revoked = await command.run(['keys', 'revoke', id], { env })
    expect(revoked).toMatchObject({ code: 0, out: expect.stringMatching(/status +revoked\n/) })
    expect(await quipu('keys')).toMatchObject({ code: 1, error: expect.stringMatching(/^AUTHENTICATION_FAILED/) })
    const listed = await command.run(['keys'], { env })
    expect(listed.out).toMatch(new RegExp(`^ID .*\n${next.id} .* active .*\n${id} .* revoked `))
    expect(listed.out).not.toContain(next.key)
    const wrong = await command.run(['keys', 'rotate', next.id, '--overlap-seconds', 'soon'], { env })
    expect(wrong).toMatchObject({ code: 2, error: expect.stringContaining('--overlap-seconds') })
  })

  test('webhooks pause lets events queue, and webhooks resume sends them; replay sends again', async () => {
    const { json, quipu, post, pay } = user()
    const receiver = await startReceiver()
    const { id } = (await post('/v1/webhooks', { url: receiver.urlAt('127.0.0.1', '/quipu') })).json
    expect(await json('webhooks', 'pause', id)).toMatchObject({ id, status: 'paused', paused_by: 'tenant' })
    await pay('MOCK:CLOSED:100.00')
    expect((await quipu('webhooks')).out).toMatch(new RegExp(`^ID .*\n${id} +paused +tenant +0 +http`))
    expect(receiver.received).toEqual([])
    expect(await json('webhooks', 'resume', id)).toMatchObject({ status: 'active', requeued: 1 })
    await receiver.until(1)
    const replayed = await until(
      () => json('webhooks', 'replay', id, '--since', '2026-01-01T00:00:00Z'),
      ({ resent }) => resent === 1,
    )
    expect(replayed).toMatchObject({ id, resent: 1 })
    await receiver.until(2)
    await receiver.stop()
  })

  test('a service that does not answer is not a refusal', async () => {
    const { env } = user()
    const nowhere = { ...env, QUIPU_API_URL: 'http://127.0.0.1:1' }
    const args = ['statement', '2026-11-20']
    const { code, error } = await command.run(args, { env: nowhere })
    expect({ code, error }).toEqual({ code: 3, error: expect.stringContaining('Repeat the command') })
  })

  test('a mistyped command is answered with the right one, and the version is the package’s', async () => {
    const [mistyped, printed] = await Promise.all([command.run(['payuts']), command.run(['--version'])])
    expect(mistyped).toMatchObject({ code: 2, error: expect.stringContaining('Did you mean payouts?') })
    expect(printed.out).toBe(`${version}\n`)
  })

  test('bash completes with its script; zsh and fish get descriptions', async () => {
    const { out } = await command.run(['completion', 'bash'])
    const line = `${out}COMP_WORDS=(quipu payouts --sta); COMP_CWORD=2; _quipu; echo "\${COMPREPLY[@]}"`
    const PATH = `${command.folder}:/usr/bin:/bin`
    const { stdout } = await promisify(execFile)('bash', ['-c', line], { env: { PATH, HOME: command.home } })
    expect(stdout).toBe('--status\n')
    const [zsh, fish] = await Promise.all(
      ['zsh', 'fish'].map((shell) => command.run(['completion-server', shell, '--', 'trig'])),
    )
    const outcomes = await command.run(['completion-server', 'bash', '--', 'trigger', 'payout.c'])
    expect(outcomes.out.split('\n').slice(0, 2)).toEqual(['payout.completed', 'payout.cancelled'])
    expect([zsh?.out, fish?.out]).toEqual([
      expect.stringMatching(/^trigger:Make an event/),
      expect.stringMatching(/^trigger\tMake an event/),
    ])
  })
})
