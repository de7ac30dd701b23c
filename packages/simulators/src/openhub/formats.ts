import { jsonNumber } from '../exact-json.ts'
import { formatBob } from '../qr-network/payment/amount.ts'
import { bolivianDate, bolivianTime } from './bolivian-time.ts'
import type { Switches } from './switches/switches.ts'

/** A member whose form in JSON a switch decides. */
export type Member =
  | { readonly type: 'amount'; readonly minor: bigint }
  /** Digits, which may become a number. */
  | { readonly type: 'id'; readonly text: string }
  /** A text that may be empty. */
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'time'; readonly ms: number; readonly isExact: boolean }
  | { readonly type: 'date'; readonly ms: number }

export const amount = (minor: bigint): Member => ({ type: 'amount', minor })
export const id = (text: string): Member => ({ type: 'id', text })
export const text = (content: string): Member => ({ type: 'text', text: content })
/** @param isExact  with milliseconds in the documented example */
export const time = (ms: number, isExact = false): Member => ({ type: 'time', ms, isExact })
export const date = (ms: number): Member => ({ type: 'date', ms })

/** Members by their documented names; null and booleans are literal. */
export type Members = Readonly<Record<string, Member | null>>

type Formats = Pick<Switches, 'ids' | 'amounts' | 'empty' | 'renamed' | 'expiry' | 'times'>

/** The members as JSON. */
export function jsonOf(members: Members, formats: Formats): Record<string, unknown> {
  const json: Record<string, unknown> = {}
  for (const [name, member] of Object.entries(members)) {
    const value = member === null ? null : valueOf(member, formats)
    if (value !== undefined) json[formats.renamed[name] ?? name] = value
  }
  return json
}

function valueOf(member: Member, formats: Formats): unknown {
  switch (member.type) {
    case 'amount':
      return amountOf(formatBob(member.minor), formats.amounts)
    case 'id':
      // A number would lose leading zeros.
      return formats.ids === 'number' && /^[1-9]\d*$/.test(member.text)
        ? jsonNumber(member.text)
        : textOf(member.text, formats)
    case 'text':
      return textOf(member.text, formats)
    case 'time': {
      const isExact = formats.times === 'documented' ? member.isExact : formats.times === 'milliseconds'
      return bolivianTime(member.ms).slice(0, isExact ? 23 : 19)
    }
    case 'date':
      return formats.expiry === 'compact' ? bolivianDate(member.ms).replaceAll('-', '') : bolivianDate(member.ms)
  }
}

function amountOf(fixed: string, form: Formats['amounts']): unknown {
  if (form === 'string') return fixed
  return jsonNumber(form === 'number' ? fixed : fixed.replace(/\.?0+$/, ''))
}

function textOf(content: string, { empty }: Formats): string | null | undefined {
  if (content !== '') return content
  if (empty === 'absent') return undefined
  return empty === 'null' ? null : empty
}
