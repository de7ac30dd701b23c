import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Switches } from './switches/switches.ts'

/** Issues and verifies access tokens, which stay valid when the network restarts. */
export type Tokens = {
  issue(): string
  isValid(token: string | undefined): boolean
  /** Ends all tokens issued so far. */
  end(): void
}

/** @param secret  the key of the tokens' MAC */
export function createTokens(secret: string, now: () => number, switches: () => Switches): Tokens {
  let counter = 0
  let newest: string | undefined
  const ended = new Set<string>()
  const issued = new Set<string>()
  /** The expiry and a counter, with a MAC, in the form of a UUID. */
  const tokenOf = (expiry: string, sequence: string): string => {
    const head = expiry + sequence
    const mac = createHmac('sha256', secret)
      .update(`token.${head}`)
      .digest('hex')
      .slice(0, 32 - head.length)
    return (head + mac).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
  }
  return {
    issue() {
      const expiry = now() + switches().token_life_seconds * 1000
      newest = tokenOf(expiry.toString(16).padStart(12, '0'), (++counter % 65_536).toString(16).padStart(4, '0'))
      issued.add(newest)
      return newest
    },
    isValid(token) {
      const digits = token?.replaceAll('-', '') ?? ''
      const expected = tokenOf(digits.slice(0, 12), digits.slice(12, 16))
      if (token?.length !== expected.length || !timingSafeEqual(Buffer.from(token), Buffer.from(expected))) return false
      if (ended.has(token) || Number.parseInt(digits.slice(0, 12), 16) <= now()) return false
      return !switches().token_single || newest === undefined || token === newest
    },
    end() {
      for (const token of issued) ended.add(token)
      issued.clear()
    },
  }
}
