import type { AuditAction, AuditAuthor, AuditEntry, AuditState } from '../audit/ports.ts'
import type { Credential } from '../access/operator.ts'
import type { Page, PageQuery } from '../page.ts'

/** The longest note, in characters. */
export const caseNoteMax = 2_000

/** A note of a person about a record. */
export type CaseNote = {
  /** `nte_` and a ULID. */
  readonly id: string
  readonly person: string
  readonly note: string
  readonly createdAt: Date
}

/** The person who works on a record now. */
export type CaseTaker = { readonly id: string; readonly person: string; readonly createdAt: Date }

/**
 * Stores notes and takers of records, whatever their kind, by their ids. Every method throws `Unavailable` when the
 * database cannot be read or written. `unauthorized`: no such token may write.
 */
export type CaseStore = {
  /** Oldest first; at most 200. */
  notes(subject: string): Promise<readonly CaseNote[]>
  taker(subject: string): Promise<CaseTaker | undefined>
  /** The records that are taken, the last one first. */
  taken(query: PageQuery): Promise<Page<CaseTaker>>
  /** Adds a note for good, with an audit entry that lacks its text. */
  note(id: string, subject: string, note: string, by: Credential, at: Date): Promise<'committed' | 'unauthorized'>
  /** Idempotent. `stale`: another person has it. */
  take(subject: string, by: Credential, at: Date): Promise<'committed' | 'stale' | 'unauthorized'>
  /** By who has taken it, or an admin. `stale`: there is nothing to release. */
  release(subject: string, by: Credential, at: Date): Promise<'committed' | 'stale' | 'unauthorized'>
}

const entry = (
  subject: string,
  author: AuditAuthor,
  action: AuditAction,
  before: AuditState,
  after: AuditState,
): AuditEntry => ({ ...author, action, tenantId: null, subject, before, after })

/** The audit entry of a note. */
export const caseNoted = (subject: string, noteId: string, author: AuditAuthor): AuditEntry =>
  entry(subject, author, 'case.note', null, { note_id: noteId })

/** The audit entry of a record that is taken. */
export const caseTaken = (subject: string, author: AuditAuthor): AuditEntry =>
  entry(subject, author, 'case.take', null, { taken_at: author.at.toISOString() })

/** The audit entry of a record that is released. @param person  who had it */
export const caseReleased = (subject: string, person: string, author: AuditAuthor): AuditEntry =>
  entry(subject, author, 'case.release', { person }, null)
