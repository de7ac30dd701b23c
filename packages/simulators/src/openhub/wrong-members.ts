import { amount, id, text, type Member, type Members } from './formats.ts'
import type { Reply } from './switches/replies.ts'

/** The members that a reply changes, where an answer has them. */
const changes: Partial<Record<Reply, Readonly<Record<string, (member: Member | null) => Member | null | undefined>>>> =
  {
    unknown_state: { estado: () => text('OBSERVADA') },
    other_transaction: { transaccionId: () => text('po_00000000000000000000000000') },
    no_transaction: { transaccionId: () => text('') },
    other_reference: { numeroReferencia: () => id('547260101999999999') },
    no_order_number: { numOrdenAch: () => text('') },
    amount_zero: { importe: () => amount(0n) },
    amount_wrong: { importe: (member) => (member?.type === 'amount' ? amount(member.minor + 100n) : member) },
    no_amount: { importe: () => undefined },
    usd: { moneda: () => text('USD') },
    no_name: { titularDestino: () => text('') },
  }

export function wrongMembers(members: Members, reply: Reply): Members {
  const wrong = changes[reply]
  if (!wrong) return members
  const entries = Object.entries(members).map(([name, member]) => {
    const change = wrong[name]
    return [name, change ? change(member) : member] as const
  })
  return Object.fromEntries(entries.filter(([, member]) => member !== undefined)) as Members
}
