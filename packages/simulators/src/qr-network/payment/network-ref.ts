import { createHmac, randomInt } from 'node:crypto'

/** Issues and verifies the references of QR readings. */
export type NetworkRefs = {
  /** Issues 20 digits that are bound to the content. */
  issue(content: string): string
  /** Whether `networkRef` was issued for this content. */
  issued(networkRef: string, content: string): boolean
}

/**
 * References are ten random digits and ten digits of a MAC over them and the content. So a reading
 * stores nothing, and its reference stays valid after a restart with the same key.
 *
 * @param secret  the key of the MAC
 */
export function networkRefs(secret: string): NetworkRefs {
  const tag = (head: string, content: string): string => {
    const digest = createHmac('sha256', secret).update(`${head}.${content}`).digest()
    return (digest.readBigUInt64BE() % 10_000_000_000n).toString().padStart(10, '0')
  }
  return {
    issue(content) {
      const head = randomInt(10_000_000_000).toString().padStart(10, '0')
      return head + tag(head, content)
    },
    issued: (networkRef, content) => networkRef === networkRef.slice(0, 10) + tag(networkRef.slice(0, 10), content),
  }
}
