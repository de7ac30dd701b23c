import { normalizedName } from './name.ts'

/** Who is screened: the sender of a deposit, the merchant of a QR, or a tenant with its contact. */
export const screeningKinds = ['sender', 'merchant', 'tenant'] as const
/** The kind of a subject. */
export type ScreeningKind = (typeof screeningKinds)[number]

/** Someone to look up in the lists: by an address of the chain, or by names. */
export type ScreeningSubject = {
  readonly kind: ScreeningKind
  /** The address, or every name. */
  readonly texts: readonly string[]
  /** The difference from others with the same texts: a merchant's bank, a tenant's id; empty for an address. */
  readonly id: string
}

/** The list that answered, and its version: both texts of its publisher or of its file. */
export type ScreeningList = { readonly list: string; readonly version: string }

/** An answer. `listed` has the list's own reason. */
export type ScreeningAnswer =
  | ({ readonly outcome: 'clear' } & ScreeningList)
  | ({ readonly outcome: 'listed'; readonly reason: string } & ScreeningList)

/** Looks subjects up in lists of persons and addresses that must not be paid or served. */
export type Screening = {
  /** The list's file or the provider: the same text in every process that uses it. */
  readonly name: string
  /** It answers at once, from memory: nothing needs to remember its answers. */
  readonly isLocal: boolean
  /** @throws Unavailable when there is no answer in time, or none that can be read; a local one throws it at once */
  screen(subject: ScreeningSubject): ScreeningAnswer | Promise<ScreeningAnswer>
}

type ScreenedMerchant = { readonly name: string; readonly bankCode: string }
type ScreenedTenant = {
  readonly id: string
  readonly legalName: string
  readonly technicalContact: { readonly name: string }
}

/** The sender of a deposit. */
export const senderSubject = (address: string): ScreeningSubject => ({ kind: 'sender', texts: [address], id: '' })

/** The merchant that a QR names. */
export const merchantSubject = ({ name, bankCode }: ScreenedMerchant): ScreeningSubject => ({
  kind: 'merchant',
  texts: [name],
  id: bankCode,
})

/** A tenant, by its legal name and its contact's name. */
export const tenantSubject = ({ id, legalName, technicalContact }: ScreenedTenant): ScreeningSubject => ({
  kind: 'tenant',
  texts: [legalName, technicalContact.name],
  id,
})

/** The key of a subject's cases: spellings of one name have the same. */
export const subjectKey = ({ kind, texts, id }: ScreeningSubject): string => {
  if (kind === 'tenant') return id
  return kind === 'sender' ? (texts[0] ?? '') : `${id} ${texts.map(normalizedName).join(' ')}`
}
