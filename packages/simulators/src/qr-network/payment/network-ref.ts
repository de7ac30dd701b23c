import { createHmac, randomInt } from 'node:crypto'

/** Issues the references under which the network remembers what it read. */
export type NetworkRefs = {
  /** 20 digits, bound to the content that was read. */
  issue(content: string): string
  /** Whether `networkRef` was issued for this content. */
  issued(networkRef: string, content: string): boolean
}

/**
 * References that prove themselves: ten random digits and ten of a keyed digest over them and the
 * content. So a reading writes nothing, and still holds after a restart with the same key.
 *
 * @param secret  known to the network alone
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
    issued: (networkRef, content) =>
      networkRef === networkRef.slice(0, 10) + tag(networkRef.slice(0, 10), content),
  }
}
