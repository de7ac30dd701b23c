import { type Bob, parseMoney } from '@quipu/core'
import { type ExactJson, textAt } from '@quipu/http-json'

const shownMax = 255

/**
 * A member as text: trimmed, and a number as its digits. Absent when it is missing, null, blank or `N/A`.
 *
 * @param name  a member's name, or a path joined by dots
 */
export function memberOf(json: ExactJson | undefined, name: string): string | undefined {
  const text = textAt(json ?? null, name)?.trim()
  return text === undefined || text === '' || text === 'N/A' ? undefined : text
}

/** A text that decides: as OpenHub wrote it, without damage; undefined otherwise. PostgreSQL can store it. */
export function factOf(json: ExactJson | undefined, name: string): string | undefined {
  const text = memberOf(json, name)
  return text !== undefined && text.length <= shownMax && text.isWellFormed() && !/[\p{Cc}\uFFFD]/u.test(text)
    ? text
    : undefined
}

/** The transaction's number that OpenHub calls `numeroReferencia`; undefined unless it is 1 to 20 digits. */
export function referenceOf(json: ExactJson | undefined): string | undefined {
  const text = memberOf(json, 'numeroReferencia')
  return text !== undefined && /^\d{1,20}$/.test(text) ? text : undefined
}

/** The elements of a list; undefined for another value. */
export const rowsOf = (json: ExactJson | undefined): readonly ExactJson[] | undefined =>
  Array.isArray(json) ? (json as readonly ExactJson[]) : undefined

/** An amount of bolivianos, from the digits of its number or text. */
export function bolivianosOf(json: ExactJson | undefined, name: string): Bob | undefined {
  const text = memberOf(json, name)
  return text === undefined ? undefined : parseMoney('BOB', text)
}

/** A text that is only shown: control characters become blanks, and half a character U+FFFD. */
export const shown = (text: string, max: number = shownMax): string =>
  Array.from(text.replaceAll(/\p{Cc}+/gu, ' ').toWellFormed())
    .slice(0, max)
    .join('')
    .trim()

/** Prose of OpenHub for a reason or a log, without the numbers of accounts and documents. */
export const masked = (text: string): string => shown(text.replaceAll(/\d{5,}/g, '…'), 120)
