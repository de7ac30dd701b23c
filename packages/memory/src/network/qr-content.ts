import { bob, parseMoney, toDecimal } from '@quipu/core'
import { type SandboxQr, sandboxScenarios } from '@quipu/core/adapter'

/** The content of a QR of this network, and the outcome of paying it. */
export type MemoryQr = Omit<SandboxQr, 'content' | 'expiresAt'> & { readonly expiresAt: Date | null }

/** In the sandbox's range, so production refuses these contents without reading them. */
const serial = `5A0D${'0'.repeat(28)}`

const hide = (text: string): string => Buffer.from(text).toString('base64')
const show = (text: string): string => Buffer.from(text, 'base64').toString()

/**
 * Encodes the whole QR in its content, so that issued QRs need not be stored.
 *
 * @param issue makes the contents of equal QRs differ
 */
export function writeContent(qr: MemoryQr, issue: number): string {
  const { amount, merchant, description, expiresAt, scenario } = qr
  const fields = [
    issue.toString(),
    amount === null ? '' : toDecimal(amount),
    hide(merchant.name),
    merchant.bankCode,
    description === null ? '' : hide(description),
    expiresAt === null ? '' : expiresAt.toISOString(),
    scenario,
  ]
  return `${hide(fields.join(' '))}|${serial}`
}

/** @returns undefined for a content of another network */
export function readContent(content: string): MemoryQr | undefined {
  const [block = '', serialInContent] = content.split('|')
  const fields = show(block).split(' ')
  const [, decimal = '', name = '', bankCode = '', description = '', expiresAt = ''] = fields
  const scenario = sandboxScenarios.find((each) => each === fields[6])
  if (serialInContent !== serial || scenario === undefined) return undefined
  const amount = decimal === '' ? null : (parseMoney('BOB', decimal) ?? bob(0n))
  return {
    amountMode: amount === null ? 'open' : 'closed',
    amount,
    merchant: { name: show(name), bankCode },
    description: description === '' ? null : show(description),
    expiresAt: expiresAt === '' ? null : new Date(expiresAt),
    scenario,
  }
}
