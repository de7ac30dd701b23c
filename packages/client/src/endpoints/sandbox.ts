import type {
  FaucetRecord,
  FaucetRequest,
  FaucetSend,
  SandboxQr,
  SandboxQrRequest,
} from '../openapi/openapi.ts'
import type { CallOptions, Send } from '../request/send.ts'

export type FaucetOptions = CallOptions & {
  /** Names the transfer: the same key never sends twice. Default: a new one for each call. */
  readonly idempotencyKey?: string | undefined
}

/** For testing; in production there is none of it. */
export type Sandbox = {
  /** A QR to pay, as text and as pictures; `scenario` says how its payment ends. */
  createQrCode(request: SandboxQrRequest, options?: CallOptions): Promise<SandboxQr>
  /** Sends test tokens to a wallet that you control: send them on from there to fund your wallet. */
  faucet(request: FaucetRequest, options?: FaucetOptions): Promise<FaucetRecord>
  /** How a send of the faucet stands now. */
  faucetSend(id: string, options?: CallOptions): Promise<FaucetSend>
}

export const sandbox = (send: Send): Sandbox => ({
  createQrCode: (body, options) => send('createSandboxQr', { body }, options),
  faucet: (body, { idempotencyKey = crypto.randomUUID(), ...options } = {}) =>
    send('requestTokens', { body }, { ...options, headers: { 'Idempotency-Key': idempotencyKey } }),
  faucetSend: (id, options) => send('getTokens', { params: { id } }, options),
})
