import { noteTexts } from '../text/note-texts.ts'
import type { Field, Values } from './fields.tsx'

export const reasonField: Field = { name: 'reason', kind: 'long', label: noteTexts.reason }

/** For a change that needs another person, or not. */
export const optionalReasonField: Field = { ...reasonField, hint: noteTexts.reasonIfApproved, isOptional: true }

export const evidenceFields: readonly Field[] = [
  { name: 'evidence.note', kind: 'long', maxLength: 2_000, label: noteTexts.evidence, hint: noteTexts.evidenceHint },
  { name: 'evidence.digest', kind: 'digest', label: noteTexts.file, hint: noteTexts.fileHint },
]

export const optionalEvidenceFields: readonly Field[] = evidenceFields.map((field) => ({ ...field, isOptional: true }))

/** The members of a request that say why, without those that were left empty. */
export function noteOf(values: Values): object {
  const { reason = '', 'evidence.note': note = '', 'evidence.digest': digest = '' } = values
  return { ...(reason !== '' && { reason }), ...((note !== '' || digest !== '') && { evidence: { note, digest } }) }
}
