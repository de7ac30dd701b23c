import { chainedSha256 } from '../digest.ts'
import type { AuditEntry, AuditPosition } from './ports.ts'

/** Where the audit log begins: the id and hash before its first entry. */
export const auditStart: AuditPosition = { id: 0n, hash: '0'.repeat(64) }

/**
 * The hash of the entry that follows another one: SHA-256 of the previous hash's 32 bytes and the entry's
 * canonical bytes. These are the UTF-8 bytes of a JSON array: version 1, id, microseconds since 1970, actor,
 * token, address, session, action, tenant, subject, before, after. It is printed as PostgreSQL prints `jsonb`: members by length, then
 * by bytes, and a space after each colon and comma.
 *
 * Numbers in `before` and `after` must be whole.
 *
 * @returns lowercase hex
 */
export function auditHash(previous: string, id: bigint, entry: AuditEntry): string {
  const { actor, tokenId, address, session, action, tenantId, subject, at, before, after } = entry
  const micros = (BigInt(at.getTime()) * 1000n).toString()
  const origin = [actor, tokenId, address, session]
  const members = [1, id.toString(), micros, ...origin, action, tenantId, subject, before, after]
  return chainedSha256(previous, jsonbText(members))
}

/** The entry's place in the log, after another one. */
export function nextPosition(last: AuditPosition, entry: AuditEntry): AuditPosition {
  const id = last.id + 1n
  return { id, hash: auditHash(last.hash, id, entry) }
}

const utf8 = new TextEncoder()

function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const at = a.findIndex((byte, n) => byte !== b[n])
  // Neither has a byte at -1: without a difference this is 0.
  return (a[at] ?? 0) - (b[at] ?? 0)
}

type Json = string | number | null | readonly Json[] | { readonly [name: string]: Json }

function jsonbText(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(jsonbText).join(', ')}]`
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  const members = Object.entries(value).map(([name, member]) => ({
    bytes: utf8.encode(name),
    text: `${JSON.stringify(name)}: ${jsonbText(member)}`,
  }))
  members.sort((a, b) => a.bytes.length - b.bytes.length || compareBytes(a.bytes, b.bytes))
  return `{${members.map(({ text }) => text).join(', ')}}`
}
