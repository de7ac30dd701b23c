import { bob, Unavailable } from '@quipu/core'
import type { SandboxQrRequest } from '@quipu/core/adapter'
import { expect, onTestFinished, test } from 'vitest'
import { httpSandboxQrIssuer } from './sandbox-qr-issuer.ts'
import { startHttpServer, unusedUrl } from '@quipu/http-json/testing'

function issuer(url: string): ReturnType<typeof httpSandboxQrIssuer> {
  const created = httpSandboxQrIssuer({ url, token: 'network token' })
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
