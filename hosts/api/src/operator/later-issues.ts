import type { Issue, Parsed } from '@quipu/wire'

/** The text members of a body that later checks read. */
export type TextMembers = Readonly<Record<string, string | undefined>>

/**
 * Adds what the use case would refuse to the issues of a body, so that one answer lists all of them. Without an issue
 * of the body the use case decides.
 *
 * @param check  reads the members as sent, which may have issues themselves
 */
export function withLaterIssues<T>(
  parsed: Parsed<T>,
  json: unknown,
  check: (members: TextMembers) => readonly Issue[],
): Parsed<T> {
  if (parsed.ok || typeof json !== 'object' || json === null) return parsed
  const texts = Object.entries(json).filter(([, member]) => typeof member === 'string')
  return { ok: false, issues: [...parsed.issues, ...check(Object.fromEntries(texts))] }
}

export const notInFuture: Issue = { field: 'expires_at', message: 'must be in the future' }

/** The issue of an expiry that has passed. */
export const expiryIssues = ({ expires_at: at = '' }: TextMembers, now: Date): readonly Issue[] =>
  Date.parse(at) <= now.getTime() ? [notInFuture] : []
