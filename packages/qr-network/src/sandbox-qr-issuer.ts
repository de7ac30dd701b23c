import { type SandboxQrIssuer, toDecimal } from '@quipu/core'
import { type SandboxQr, type SandboxQrRequest, sandboxScenarios } from '@quipu/core/adapter'
import { z } from 'zod'
import { Content, Instant, Merchant, PositiveBolivianos, Shown } from './fields.ts'
import { bearerClient, type ClientOptions } from './bearer-client.ts'
import { expectJson, expectShape } from './read-answer.ts'

/** The URL and the credential of an issuer of test QRs. */
export type HttpSandboxQrIssuerOptions = ClientOptions & {
  /** Deadline of a request; 10 s by default. */
  readonly timeoutMs?: number
}

/** Issues test QRs at the sandbox network. */
export function httpSandboxQrIssuer(options: HttpSandboxQrIssuerOptions): SandboxQrIssuer & { stop(): Promise<void> } {
  const { timeoutMs = 10_000 } = options
  const { send, stop } = bearerClient(options)
  return {
    async issue(request) {
      const body = requestJson(request)
      const path = '/v1/sandbox/qr-codes'
      const reply = await send({ method: 'POST', path, template: path, body, timeoutMs })
      return expectShape(IssuedQr, expectJson(reply, [201]).json)
    },
    stop,
  }
}

const requestJson = (request: SandboxQrRequest): object => ({
  amount_mode: request.amountMode,
  ...(request.amount !== null && { amount: toDecimal(request.amount) }),
  ...(request.merchantName !== null && { merchant_name: request.merchantName }),
  ...(request.description !== null && { description: request.description }),
  scenario: request.scenario,
})

const IssuedQr = z
  .object({
    content: Content,
    amount_mode: z.enum(['closed', 'open']),
    amount: PositiveBolivianos.nullable(),
    merchant: Merchant,
    description: Shown,
    scenario: z.enum(sandboxScenarios),
    expires_at: Instant,
  })
  .transform((issued): SandboxQr => ({
    content: issued.content,
    amountMode: issued.amount_mode,
    amount: issued.amount,
    merchant: issued.merchant,
    description: issued.description === '' ? null : issued.description,
    scenario: issued.scenario,
    expiresAt: issued.expires_at,
  }))
