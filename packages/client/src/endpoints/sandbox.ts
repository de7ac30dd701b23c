import type { FaucetRecord, FaucetRequest, FaucetSend, SandboxQr, SandboxQrRequest } from '../openapi/openapi.ts'
import type { CallOptions, Send } from '../request/send.ts'

/** Options of a request for test tokens. */
export type FaucetOptions = CallOptions & {
  /** Identifies the transfer: one key sends at most once. Default: a new key for each call. */
  readonly idempotencyKey?: string | undefined
}

/** Operations of the sandbox. Production does not have them. */
export type Sandbox = {
  /** Creates a QR to pay, as text and as images; `scenario` decides how its payment ends. */
  createQrCode(request: SandboxQrRequest, options?: CallOptions): Promise<SandboxQr>
  /** Sends test tokens to a wallet that you control: send them on from there to fund your wallet. */
  faucet(request: FaucetRequest, options?: FaucetOptions): Promise<FaucetRecord>
  /** Reads a send of the faucet. */
  faucetSend(id: string, options?: CallOptions): Promise<FaucetSend>
}

export const sandbox = (send: Send): Sandbox => ({
  createQrCode: (body, options) => send('createSandboxQr', { body }, options),
  faucet: (body, { idempotencyKey = crypto.randomUUID(), ...options } = {}) =>
    send('requestTokens', { body }, { ...options, headers: { 'Idempotency-Key': idempotencyKey } }),
  faucetSend: (id, options) => send('getTokens', { params: { id } }, options),
})
