import { bob, Unavailable } from '@quipu/core'
import { type SandboxQrRequest, sandboxScenarios } from '@quipu/core/adapter'
import { type QrNetworkSimulator, startQrNetwork } from '@quipu/simulators'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { httpSandboxQrIssuer } from './sandbox-qr-issuer.ts'
import { startHttpServer, unusedUrl } from '@quipu/http-json/testing'

const token = 'network token'
let simulator: QrNetworkSimulator
beforeAll(async () => {
  const now = (): Date => new Date('2026-01-01T00:00:00.000Z')
  simulator = await startQrNetwork({ token, callbackSecret: 'secret', now })
})
afterAll(() => simulator.stop())

function issuer(url = simulator.url): ReturnType<typeof httpSandboxQrIssuer> {
  const created = httpSandboxQrIssuer({ url, token })
  onTestFinished(() => created.stop())
  return created
}

const request: SandboxQrRequest = {
  amountMode: 'closed',
  amount: bob(12_050n),
  merchantName: 'Café Ñusta',
  description: 'Té',
  scenario: 'paid',
}

test('issues a closed QR with all members', async () => {
  expect(await issuer().issue(request)).toEqual({
    content: expect.stringMatching(/^[A-Za-z0-9+/=]{344}\|5A0D[0-9A-F]{28}$/) as string,
    amountMode: 'closed',
    amount: bob(12_050n),
    merchant: { name: 'Café Ñusta', bankCode: '1016' },
    description: 'Té',
    scenario: 'paid',
    expiresAt: new Date('2026-01-02T00:00:00.000Z'),
  })
})

test.each(sandboxScenarios)('issues an open QR with only the scenario %s', async (scenario) => {
  const bare = { amountMode: 'open', amount: null, merchantName: null, description: null } as const
  const issued = await issuer().issue({ ...bare, scenario })
  expect(issued).toMatchObject({ amountMode: 'open', amount: null, description: null, scenario })
})

test('only contents of 1 to 500 characters are accepted', async () => {
  const issued = {
    amount_mode: 'open',
    amount: null,
    merchant: { name: 'Café Ñusta', bank_code: '1016' },
    description: null,
    scenario: 'paid',
    expires_at: '2026-01-02T00:00:00.000Z',
  }
  const contentOf = async (length: number): Promise<string> => {
    const body = JSON.stringify({ ...issued, content: 'Q'.repeat(length) })
    const { url } = await startHttpServer(201, body)
    return (await issuer(url).issue(request)).content
  }
  for (const length of [1, 500]) expect(await contentOf(length)).toHaveLength(length)
  for (const length of [0, 501]) await expect(contentOf(length)).rejects.toThrow(Unavailable)
})

test('issuing throws if the network is unreachable or its answer is invalid', async () => {
  await expect(issuer(await unusedUrl()).issue(request)).rejects.toThrow(Unavailable)
  for (const [status, body] of [
    [200, '{}'],
    [201, '{}'],
    [201, ''],
    [400, '{"code":"BAD_REQUEST"}'],
    [503, ''],
  ] as const) {
    const { url } = await startHttpServer(status, body)
    await expect(issuer(url).issue(request)).rejects.toThrow(Unavailable)
  }
})
