import type { SessionOrigin } from '@quipu/core/operator'

/** A session of the console. Its key is the hash of its secret. */
export type ConsoleSessionRow = {
  readonly tokenId: string
  readonly origin: SessionOrigin
  hasSecondFactor: boolean
  readonly address: string | null
  readonly browser: string | null
  readonly createdAt: Date
  seenAt: Date
  readonly expiresAt: Date
  endedAt: Date | null
}

/** The second factor of a person. */
export type SecondFactorRow = {
  readonly secret: string
  confirmedAt: Date | null
  lastStep: number
  attempts: number
  attemptedAt: Date
}
