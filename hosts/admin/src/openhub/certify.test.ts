import { startOpenHub } from '@quipu/simulators'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { CommandError } from '../exit.ts'
import { certify, type CertifyOptions } from './certify.ts'
import { steps } from './steps.ts'

const clientSecret = 'client-secret-of-the-sandbox'

/** A sandbox with a stepped clock, and the command over it. */
async function sandbox(env: Readonly<Record<string, string>> = {}) {
  let now = Date.parse('2026-11-21T02:00:00.000Z')
  const hub = await startOpenHub({ clientId: 'client-of-ours', clientSecret, now: () => new Date(now) })
  const out = await mkdtemp(path.join(tmpdir(), 'certify-'))
  onTestFinished(() => rm(out, { recursive: true }))
  onTestFinished(() => hub.stop())
  const description = 'Almuerzo'
  const qr = (amount?: string): string =>
    hub.issueQr(amount === undefined ? { amount_mode: 'open' } : { amount_mode: 'closed', amount, description }).content
  const options: CertifyOptions = {
    host: new URL(hub.url).host,
    closedQr: [qr('12.50'), qr('7.00')],
    openQr: Array.from({ length: 20 }, () => qr()),
    out,
    amount: '1.00',
  }
  const settings = {
    OPENHUB_URL: hub.url,
    OPENHUB_CLIENT_ID: 'client-of-ours',
    OPENHUB_CLIENT_SECRET: clientSecret,
    OPENHUB_NIT: hub.nit,
    OPENHUB_SOURCE_ACCOUNT: hub.accounts[0],
  }
  return {
    hub,
    out,
    step: (ms: number) => void (now += ms),
    file: (name: string) => readFile(path.join(out, name), 'utf8'),
    async run(over: Partial<CertifyOptions> = {}): Promise<{ readonly out: string; readonly error?: CommandError }> {
      let printed = ''
      const terminal = {
        out: (text: string) => void (printed += text),
        error: () => {},
        columns: 80,
        showsProgress: false,
      }
      const context = { terminal, env: { ...settings, ...env }, pause: async () => {} }
      try {
        await certify({ ...options, ...over }, context, () => new Date(now))
        return { out: printed }
      } catch (error) {
        if (!(error instanceof CommandError)) throw error
        return { out: printed, error }
      }
    },
  }
}

const minute = 60_000

test('each step runs once, those of later times when they are due, and the open questions are printed', async () => {
  const { run, step, file, hub } = await sandbox()
  const first = await run()
  expect(first.error).toMatchObject({ code: 3 })
  expect(first.error?.message).toMatch(/^To come; run the command again: account-1-minute, due at 2026-11-21T02:01:00/)
  expect(first.out).toContain('pay-closed: HTTP 200 code 00 state APROBADA reference 5472611')
  expect(first.out).toContain('pay-again: HTTP 200 code 14')
  expect(first.out).toContain('pay-above-balance: HTTP 200 code 00; HTTP 200 code 00 reference')
  expect(first.out).toMatch(/pay-above-balance: .* code 13\n/)
  expect(first.out).toContain('T4  Is 401, 403, 404 or 429 answered before the payout service?')
  const paid = hub.ledger().orders.length
  step(minute)
  expect((await run()).out).toMatch(/^account-1-minute: .*\n\nOpen until/)
  expect(hub.ledger().orders.length).toBe(paid)
  step(61 * minute)
  const third = await run()
  expect(third.out).toMatch(/account-1-hour: .*\npay-ended-token: .*; HTTP 401\n/)
  expect(third.error?.message).toContain('account-next-day, due at 2026-11-22T02:00:00.000Z.')
  expect(await file('state.json')).not.toContain('firstToken"')
  step(23 * 60 * minute)
  const last = await run()
  expect(last.error).toBeUndefined()
  expect(last.out).toContain('[OPENHUB_QR_OPERATIONS] (read account-1-minute)')
  expect(last.out).toContain('[OPENHUB_UNPAID_AFTER_SECONDS] (in writing)')
  expect(await file('account-next-day.json')).toContain('PAYOUT QR')
})

test('the files have every answer, and neither secrets nor accounts nor names', async () => {
  const { run, out, file, hub } = await sandbox()
  await run()
  const done = steps.filter(({ after }) => !after).map(({ name }) => `${name}.json`)
  const texts = await Promise.all(done.map(file))
  const all = texts.join('\n')
  for (const secret of [clientSecret, 'client-of-ours', hub.nit, hub.accounts[0]]) expect(all).not.toContain(secret)
  const [token] = JSON.parse(texts[0] ?? '') as { body: string }[]
  expect(JSON.parse(token?.body ?? '')).toMatchObject({
    access_token: expect.stringMatching(/^[x9-]+$/),
    expires_in: 3600,
  })
  const [reading] = JSON.parse(await file('read-twice.json')) as { body: string }[]
  expect(JSON.parse(reading?.body ?? '')).toMatchObject({
    data: {
      importe: 12.5,
      titularDestino: expect.stringMatching(/^[x9 ]+$/),
      cuentaDestino: expect.stringMatching(/^9+$/),
    },
  })
  expect((await stat(path.join(out, 'state.json'))).mode & 0o777).toBe(0o600)
})

test('a step whose answer was lost is repeated with another transaction id', async () => {
  const { run, hub, step } = await sandbox()
  await hub.setSwitches({ reply_next: [{ operation: 'confirm', reply: 'lost' }] })
  const lost = await run()
  step(1_000)
  expect(lost.error?.message).toBe('pay-closed: no answer. Run the command again.')
  expect((await run()).out).toMatch(
    /^pay-closed: HTTP 200 code 00 reference \d+ amount 7; HTTP 200 code 00 state APROBADA/,
  )
  const ids = hub.ledger().orders.map(({ transaccion_id: id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
})

test('a closed QR without a description is paid with ours, and a refusal leaves the step to another QR', async () => {
  const { run, hub, step } = await sandbox()
  const closed = (amount: string): string => hub.issueQr({ amount_mode: 'closed', amount }).content
  await hub.setSwitches({ reply_next: [{ operation: 'confirm', reply: '09', course: 'none' }] })
  const closedQr = [closed('3.00'), closed('4.00')]
  expect((await run({ closedQr })).error?.message).toMatch(/^pay-closed: not paid\./)
  step(1_000)
  const again = await run({ closedQr })
  expect(again.out).toMatch(/^pay-closed: HTTP 200 code 00 reference \d+ amount 4; HTTP 200 code 00 state APROBADA/)
  expect(again.out).toContain('pay-again: HTTP 200 code 14')
})

test('the host must be that of the URL, and production needs its flag', async () => {
  const { run, hub } = await sandbox({ ENVIRONMENT: 'production' })
  expect((await run({ host: 'other.example' })).error).toMatchObject({ code: 2, message: /^--host: OPENHUB_URL is at/ })
  expect((await run()).error).toMatchObject({ code: 2, message: expect.stringContaining('--production') })
  expect(hub.ledger().orders).toEqual([])
  expect((await run({ production: true })).out).toContain('pay-closed: HTTP 200')
})
